import { text } from '../bytes.ts';
import { among } from '../document/fields.ts';
import { locateJson } from '../document/json-fields.ts';
import { PositionedError } from '../error.ts';
import { parseJson } from '../json.ts';
import { isRecord } from '../record.ts';
import { TextLines } from '../text-lines.ts';
import { Pattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';
import { isSchema, lackedShape, type Schema, shapeWords, subschemasOf } from './shapes.ts';

/** A JSON Schema whose keywords are all understood, and whose references all lead to schemas. */
export interface JsonSchema {
  readonly root: Schema;
  /** Its regular expressions, by their text. */
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** Whether what stands beside a `$ref` counts: it does from draft 2019-09 on. */
  readonly besideReferences: boolean;
}

const CODE = 'schema-invalid';

const drafts = /^https?:\/\/json-schema\.org\/(?:draft-0[467]\/|draft\/20(?:19-09|20-12)\/)?schema#?$/;

/** Keywords that say something, and that this reader does not follow. */
const unfollowed = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems'] as const;

/** How many patterns a schema may have, and how large they may be together. */
const limits = { patterns: 500, instructions: 200_000 } as const;

/** Names the part of a schema that a problem is about: keywords, names and numbers. */
type Place = readonly string[];

/** Thrown while a schema is read; its reader adds the position. */
class Unfit extends Error {
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

/**
 * Reads a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, as far as values are judged by it: `format` and other
 * remarks say nothing. Throws `PositionedError` `schema-invalid` for a keyword of a wrong shape, one that this reader
 * does not follow, a pattern that ECMA-262 and RE2 do not both understand, and a reference that leads out of the
 * document or nowhere.
 */
export function parseSchema(bytes: Uint8Array, name: string): JsonSchema {
  const root = parseJson(bytes, CODE, name);
  const refuse = (place: Place, message: string): PositionedError => {
    const source = text(bytes, 'json-invalid');
    const path = place.join('.');
    const { start, end } = among(locateJson(source).fields)({ path, message }) ?? { start: 0, end: 1 };
    const problem = new TextLines(source).problem(path === '' ? message : `${path}: ${message}`, start, end);
    return new PositionedError(CODE, [problem], { textName: name });
  };
  try {
    return read(root);
  } catch (error) {
    throw error instanceof Unfit ? refuse(error.place, error.message) : error;
  }
}

function read(root: unknown): JsonSchema {
  if (!isSchema(root)) throw new Unfit([], 'a schema is an object, true or false');
  const patterns = new Map<string, Pattern>();
  const open: { readonly schema: Schema; readonly place: Place }[] = [{ schema: root, place: [] }];
  const draft = isRecord(root) ? root['$schema'] : undefined;
  if (typeof draft === 'string' && !drafts.test(draft)) throw new Unfit(['$schema'], 'is not a known draft');
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, place } = next;
    if (typeof schema === 'boolean') continue;
    requireKeywords(schema, place);
    requireTarget(root, schema['$ref'], place);
    notePatterns(schema, place, patterns);
    for (const one of subschemasOf(schema)) open.push({ schema: one.schema, place: [...place, ...one.place] });
  }
  const old = typeof draft === 'string' && /draft-0/.test(draft);
  return { root, patterns, besideReferences: !old };
}

function requireKeywords(schema: Readonly<Record<string, unknown>>, place: Place): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = lackedShape(keyword, value);
    if (shape !== undefined) throw new Unfit([...place, keyword], `has to be ${shapeWords[shape]}`);
  }
  const found = unfollowed.find((keyword) => schema[keyword] !== undefined);
  if (found !== undefined) throw new Unfit([...place, found], 'is a keyword that is not supported');
}

function requireTarget(root: Schema, reference: unknown, place: Place): void {
  if (typeof reference !== 'string') return;
  if (!reference.startsWith('#'))
    throw new Unfit([...place, '$ref'], 'leads out of the schema, to a document that is not read');
  if (resolveReference(root, reference) === undefined)
    throw new Unfit([...place, '$ref'], 'leads nowhere in the schema');
}

/**
 * Finds the schema that a reference within a document leads to (RFC 6901, or `$anchor`); undefined where there is none.
 */
export function resolveReference(root: Schema, reference: string): Schema | undefined {
  const fragment = decoded(reference.slice(1));
  if (fragment !== '' && !fragment.startsWith('/')) return anchored(root, fragment);
  let found: unknown = root;
  for (const part of fragment.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return isSchema(found) ? found : undefined;
}

function anchored(root: Schema, name: string): Schema | undefined {
  const open: Schema[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next['$anchor'] === name || next['$id'] === `#${name}` || next['id'] === `#${name}`) return next;
    for (const { schema } of subschemasOf(next)) open.push(schema);
  }
  return undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function notePatterns(schema: Readonly<Record<string, unknown>>, place: Place, patterns: Map<string, Pattern>): void {
  const { pattern, patternProperties } = schema;
  const named = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const sources: (readonly [Place, string])[] = named.map((one) => [[...place, 'patternProperties', one], one]);
  if (typeof pattern === 'string') sources.push([[...place, 'pattern'], pattern]);
  for (const [where, source] of sources) {
    try {
      patterns.set(source, patterns.get(source) ?? new Pattern(source));
      const size = [...patterns.values()].reduce((sum, one) => sum + one.size, 0);
      if (patterns.size > limits.patterns || size > limits.instructions) {
        throw new PatternError('is one of too many references');
      }
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw new Unfit(where, `is a pattern that cannot be used: it ${error.message}`);
    }
  }
}
