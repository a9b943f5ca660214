import { type FieldExtents, fieldDepth, type TextExtent } from './fields.ts';

/** Says where the fields of a JSON document are, and which are there twice. */
export interface JsonFields {
  readonly fields: FieldExtents;
  /** Paths of fields whose object has them already. `JSON.parse` keeps the last one and says nothing (RFC 8259 §4). */
  readonly repeated: readonly string[];
}

/** An object or array that is being read. */
interface Frame {
  /**
   * Of the object or array itself; undefined for the whole document. One that lies too deep has that of what is around
   * it.
   */
  readonly path: string | undefined;
  readonly isDeep: boolean;
  /** Names so far, of an object; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** The name or number of the member that is being read. */
  member: string;
  index: number;
  /** Whether a string that comes is a name. */
  naming: boolean;
}

const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Finds the fields of `text`, which `JSON.parse` has to have accepted before. Does not recurse. */
export function locateJson(text: string): JsonFields {
  const fields = new Map<string, TextExtent>();
  const repeated: string[] = [];
  const frames: Frame[] = [];
  for (const { 0: token, index: start } of text.matchAll(tokens)) {
    const frame = frames.at(-1);
    const end = start + token.length;
    if (frame?.names && frame.naming && token.startsWith('"')) {
      frame.member = String(JSON.parse(token));
      frame.naming = false;
      const path = pathOf(frame);
      const isRepeated = frame.names.has(frame.member);
      if (isRepeated) repeated.push(path);
      frame.names.add(frame.member);
      if (!frame.isDeep && (isRepeated || !fields.has(path))) fields.set(path, { start, nameEnd: end, end });
    } else if (token === '{' || token === '[') {
      if (frame && !frame.names && !frame.isDeep) fields.set(pathOf(frame), { start, nameEnd: end, end });
      const path = frame && pathOf(frame);
      const isDeep = frames.length >= fieldDepth;
      frames.push({ path, isDeep, names: token === '{' ? new Set() : undefined, member: '0', index: 0, naming: true });
    } else if (token === '}' || token === ']') {
      prolong(fields, frames.pop()?.path, end);
    } else if (token === ',' && frame) {
      frame.naming = true;
      frame.index += 1;
      if (!frame.names) frame.member = String(frame.index);
    } else if (token !== ':' && frame) {
      if (frame.names) prolong(fields, pathOf(frame), end);
      else if (!frame.isDeep) fields.set(pathOf(frame), { start, nameEnd: end, end });
    }
  }
  return { fields, repeated };
}

/** The path of the member that is being read. */
function pathOf({ path, isDeep, member }: Frame): string {
  if (isDeep) return path ?? '';
  return path === undefined ? member : `${path}.${member}`;
}

/** Lets the field `path` end where its value does. */
function prolong(fields: Map<string, TextExtent>, path: string | undefined, end: number): void {
  const extent = path === undefined ? undefined : fields.get(path);
  if (extent) fields.set(path!, { ...extent, end });
}
