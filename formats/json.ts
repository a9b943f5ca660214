import { text, utf8 } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';
import { endOfString } from './exact-json.ts';
import type { z } from './schema.ts';
import { type DocumentLanguage, judged, MISSING } from './schema-words.ts';

/**
 * Encodes JSON without white space, keys in the order of insertion. Whatever this project writes and hashes is written
 * so.
 */
export function encodeJson(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}

/**
 * How many names and values a document may have together, unless its reader expects more. A name or value may take a
 * byte or two, so four megabytes of them would take hundreds as objects. A manifest of the largest size has some 20
 * bytes for each.
 */
const PARTS = 2 ** 18;
/** How deep arrays and objects may be nested (RFC 8259 §9 allows a limit): whatever writes them again is recursive. */
const DEPTH = 1000;

/** How many parts a JSON document has. */
export interface PartCount {
  /** Names and values together. */
  readonly all: number;
  /** Names of fields. */
  readonly names: number;
}

/**
 * Counts the names and values of a JSON document without making any. The count is never lower than what `JSON.parse`
 * makes until it ends or fails. Throws `FormatError` `json-limit` for more than `most`, and for too deep nesting.
 */
export function countParts(bytes: Uint8Array, most: number = PARTS): PartCount {
  let parts = 1;
  let names = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = closingQuote(bytes, at);
      if (at < 0) break;
    } else if (byte === COMMA) parts += 1;
    else if (byte === COLON) {
      parts += 1;
      names += 1;
    }
    // 0x5b and 0x5d are the brackets of an array, 0x7b and 0x7d those of an object.
    else if (byte === 0x5b || byte === 0x7b) {
      parts += 1;
      depth += 1;
      if (depth > DEPTH) throw new FormatError('json-limit', `nested more than ${DEPTH} deep`, { offset: at });
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (parts > most) throw new FormatError('json-limit', `more than ${most} names and values`, { offset: at });
  }
  return { all: parts, names };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Returns where the string that begins at `start` ends, or -1 if it does not end. */
function closingQuote(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

/**
 * Parses a JSON document in UTF-8 that somebody else wrote and that may have `most` names and values. Throws
 * `FormatError` of `code`, and calls the document `what`.
 */
export function parseJson(bytes: Uint8Array, code: FormatCode, what: string, most: number = PARTS): unknown {
  return parse(bytes, code, what, most).value;
}

/** Parses `bytes` and checks the value against `schema`. Throws `FormatError` of `code` that names the wrong field. */
export function decodeJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  return checked(parse(bytes, code, what).value, schema, code, what);
}

/**
 * Parses and checks JSON that no two readers may understand differently. Of two fields of one name, `JSON.parse` keeps
 * the last, and other parsers the first (RFC 8259 §4). So this throws `FormatError` of `code` for repeated names too.
 * `counted` is what `countParts` returned for `bytes`, where that was called before.
 */
export function decodeUniqueJson<T>(
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  code: FormatCode,
  what: string,
  counted?: PartCount,
): T {
  const { json, value, names } = parse(bytes, code, what, PARTS, counted);
  const known = checked(value, schema, code, what);
  // Of two fields of one name, the value has one.
  if (countNames(value) === names) return known;
  throw new FormatError(code, `${what}: the field ${JSON.stringify(repeatedName(json))} is there twice`);
}

/** How many fields a parsed value has, those of all values in it included. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  return values.reduce((sum, one) => sum + countNames(one), Array.isArray(value) ? 0 : values.length);
}

function parse(
  bytes: Uint8Array,
  code: FormatCode,
  what: string,
  most?: number,
  counted?: PartCount,
): { json: string; value: unknown; names: number } {
  try {
    const { names } = counted ?? countParts(bytes, most);
    const json = text(bytes, 'json-invalid');
    return { json, value: JSON.parse(json), names };
  } catch (cause) {
    const isLimit = cause instanceof FormatError && cause.code === 'json-limit';
    throw new FormatError(code, isLimit ? `${what}: ${cause.message}` : `${what} is not JSON`, { cause });
  }
}

/** Returns the first name that an object of `json` has twice. `JSON.parse` must have accepted `json` before. */
function repeatedName(json: string): string | undefined {
  /** The names of each object that is still open, the outermost first; undefined for an array. */
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

/** Decodes a string with its quotes. The same name can be written with escapes and without. */
function nameIn(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The longest reason in an error's message, in characters. */
const WHY = 300;

/**
 * Checks a parsed value against `schema`, and returns it. Throws `FormatError` of `code` that names the first wrong
 * field.
 */
export function checked<T>(
  value: unknown,
  schema: z.ZodType<T>,
  code: FormatCode,
  what: string,
  language: DocumentLanguage = 'JSON',
): T {
  const result = judged(schema, value, language);
  if (result.success) return result.data;
  const { path, message } = firstProblem(result.error);
  throw new FormatError(code, `${what}: ${reasonWords(path ? `${path}: ${message}` : message)}`);
}

/**
 * Tells the first thing that a schema finds wrong; `path` is the field, such as `images.0.digest`, or '' for the whole.
 */
export function firstProblem({ issues }: z.ZodError): { path: string; message: string } {
  const [issue] = issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return { path, message: issue?.input === undefined ? MISSING : issue.message };
}

/** Cuts the reason of an error, which may quote a long value. */
export function reasonWords(why: string): string {
  return why.length > WHY ? `${why.slice(0, WHY)}…` : why;
}
