import type { z } from 'zod';
import { text, utf8 } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';

/** JSON with keys as they were inserted, no white space: the one way this project writes JSON that gets a digest. */
export function encodeJson(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}

/** Parses `bytes` and checks them against `schema`; throws `FormatError` of `code` that names the field. */
export function decodeJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text(bytes, 'json-invalid'));
  } catch (cause) {
    throw new FormatError(code, `${what} is not JSON`, { cause });
  }
  return checked(value, schema, code, what);
}

/**
 * The same, where readers must not differ: `JSON.parse` keeps the last of two fields of one name, and others the first (RFC
 * 8259 §4). Throws `FormatError` of `code` for these too.
 */
export function decodeUniqueJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const value = decodeJson(bytes, schema, code, what);
  const repeated = repeatedName(text(bytes, 'json-invalid'));
  if (repeated === undefined) return value;
  throw new FormatError(code, `${what}: the field ${JSON.stringify(repeated)} is there twice`);
}

/** The first name that an object of `json` has twice. `JSON.parse` has to have accepted it before. */
function repeatedName(json: string): string | undefined {
  /** The names of each object that is open, outermost first; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let naming = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{' || character === '[') open.push(character === '{' ? new Set() : undefined);
    else if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === ',') naming = open.at(-1) !== undefined;
    if (character !== '"') continue;
    const end = endOfString(json, at);
    const names = open.at(-1);
    if (naming && names) {
      const name = String(JSON.parse(json.slice(at, end + 1)));
      if (names.has(name)) return name;
      names.add(name);
      naming = false;
    }
    at = end;
  }
  return undefined;
}

/** Where the string ends that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** Checks a parsed value against `schema`; throws `FormatError` of `code` that names the first wrong field. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  throw new FormatError(code, `${what}: ${path}${issue?.message ?? 'not of the expected shape'}`);
}
