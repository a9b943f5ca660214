import { text, utf8 } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';
import type { z } from './schema.ts';

/** JSON with keys as they were inserted, no white space: the one way this project writes JSON that gets a digest. */
export function encodeJson(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}

/**
 * Names and values that a document may have together, unless its reader expects more: of a byte or two each, four megabytes
 * of them would take hundreds as objects. A manifest of the largest size has some 20 bytes for each.
 */
const PARTS = 2 ** 18;
/** How deep arrays and objects may be nested (RFC 8259 §9 lets parsers set a limit): what writes them anew recurses. */
const DEPTH = 1000;

/**
 * Counts the names and values of a JSON document, without making any: never fewer than `JSON.parse` makes before it ends
 * well or stumbles. Throws `FormatError` `json-limit` for more than `most`, and for what is nested too deep.
 */
export function countParts(bytes: Uint8Array, most: number = PARTS): number {
  let parts = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = closingQuote(bytes, at);
      if (at < 0) break;
    } else if (byte === COMMA || byte === COLON) parts += 1;
    // An array is 0x5b and 0x5d, an object 0x7b and 0x7d.
    else if (byte === 0x5b || byte === 0x7b) {
      parts += 1;
      depth += 1;
      if (depth > DEPTH) throw new FormatError('json-limit', `nested more than ${DEPTH} deep`, { offset: at });
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (parts > most) throw new FormatError('json-limit', `more than ${most} names and values`, { offset: at });
  }
  return parts;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Where the string ends that begins at `start`; -1 where it does not. */
function closingQuote(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

/**
 * The value of a JSON document in UTF-8 of somebody else's, of at most `most` names and values; throws `FormatError` of
 * `code` about `what`.
 */
export function parseJson(bytes: Uint8Array, code: FormatCode, what: string, most: number = PARTS): unknown {
  return parse(bytes, code, what, most).value;
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

function parse(bytes: Uint8Array, code: FormatCode, what: string, most?: number): { json: string; value: unknown } {
  try {
    countParts(bytes, most);
    const json = text(bytes, 'json-invalid');
    return { json, value: JSON.parse(json) };
  } catch (cause) {
    const isLimit = cause instanceof FormatError && cause.code === 'json-limit';
    throw new FormatError(code, isLimit ? `${what}: ${cause.message}` : `${what} is not JSON`, { cause });
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

/** How long the reason is that an error gives, in characters. */
const WHY = 300;

/** Checks a parsed value against `schema`; throws `FormatError` of `code` that names the first wrong field. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  const why = `${path}${issue?.message ?? 'not of the expected shape'}`;
  // It may quote what was found.
  throw new FormatError(code, `${what}: ${why.length > WHY ? `${why.slice(0, WHY)}…` : why}`);
}
