import type { Position } from '../solution/positions.ts';

/** Where the fields of a JSON document stand, and which are there twice. */
export interface JsonPlaces {
  /** By paths such as `keys.0.id`. */
  readonly keys: ReadonlyMap<string, Position>;
  /** Paths of fields whose object has them already. `JSON.parse` keeps the last one and says nothing (RFC 8259 §4). */
  readonly repeated: readonly string[];
}

interface Frame {
  readonly path: string;
  /** Names so far, of an object; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** The name or number of the member that is being read. */
  member: string;
  index: number;
  /** Whether a string that comes is a name. */
  naming: boolean;
}

/** Finds the fields of `text`, which `JSON.parse` has to have accepted before. Does not recurse. */
export function locateJson(text: string): JsonPlaces {
  const keys = new Map<string, Position>();
  const repeated: string[] = [];
  const frames: Frame[] = [];
  const at = positions(text);
  const pathOf = (frame: Frame | undefined): string =>
    frame === undefined ? '' : frame.path === '' ? frame.member : `${frame.path}.${frame.member}`;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs)) {
    const frame = frames.at(-1);
    const starts = token === '{' || token === '[';
    if (frame?.names && frame.naming && token.startsWith('"')) {
      frame.member = String(JSON.parse(token));
      frame.naming = false;
      const path = pathOf(frame);
      if (frame.names.has(frame.member)) {
        repeated.push(path);
        keys.set(path, at(index));
      }
      frame.names.add(frame.member);
      if (!keys.has(path)) keys.set(path, at(index));
      continue;
    }
    if (frame && !frame.names && !',]:'.includes(token)) keys.set(pathOf(frame), at(index));
    if (starts) {
      const names = token === '{' ? new Set<string>() : undefined;
      frames.push({ path: pathOf(frame), names, member: '0', index: 0, naming: true });
    } else if (token === '}' || token === ']') {
      frames.pop();
    } else if (token === ',' && frame) {
      frame.naming = true;
      frame.index += 1;
      if (!frame.names) frame.member = String(frame.index);
    }
  }
  return { keys, repeated };
}

/** Tells the positions of rising offsets. */
function positions(text: string): (offset: number) => Position {
  let [line, start, next] = [1, 0, text.indexOf('\n')];
  return (offset) => {
    while (next >= 0 && next < offset) {
      line += 1;
      start = next + 1;
      next = text.indexOf('\n', start);
    }
    return { line, column: offset - start + 1 };
  };
}
