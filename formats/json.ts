import { text, utf8 } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';
import type { z } from './schema.ts';

/** JSON with keys as they were inserted, no white space: the one way this project writes JSON that gets a digest. */
export function encodeJson(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}

/** Parses `bytes` and checks them against `schema`; throws `FormatError` of `code` that names the field. */
export function decodeJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  return checked(parse(bytes, code, what).value, schema, code, what);
}

/**
 * The same, where readers must not differ: `JSON.parse` keeps the last of two fields of one name, and others the first (RFC
 * 8259 §4). Throws `FormatError` of `code` for these too.
 */
export function decodeUniqueJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const { json, value } = parse(bytes, code, what);
  const known = checked(value, schema, code, what);
  const repeated = repeatedName(json);
  if (repeated === undefined) return known;
  throw new FormatError(code, `${what}: the field ${JSON.stringify(repeated)} is there twice`);
}

function parse(bytes: Uint8Array, code: FormatCode, what: string): { json: string; value: unknown } {
  try {
    const json = text(bytes, 'json-invalid');
    return { json, value: JSON.parse(json) };
  } catch (cause) {
    throw new FormatError(code, `${what} is not JSON`, { cause });
  }
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
      const name = nameIn(json.slice(at, end + 1));
      if (names.has(name)) return name;
      names.add(name);
      naming = false;
    }
    at = end;
  }
  return undefined;
}

/** What a string stands for, whose quotes it has: the same name may be written with escapes and without. */
function nameIn(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** Where the string ends that begins at `start`: at the first quote that no backslash escapes. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Checks a parsed value against `schema`; throws `FormatError` of `code` that names the first wrong field. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  throw new FormatError(code, `${what}: ${path}${issue?.message ?? 'not of the expected shape'}`);
}
