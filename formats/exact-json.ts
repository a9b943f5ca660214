/**
 * Writes JSON as `JSON.stringify` does, and a `bigint` as the integer that it is (RFC 8259 §6 does not limit numbers).
 * `space` is the number of spaces for each level of indentation; without it there is no white space.
 */
export function exactJson(value: unknown, space = 0): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // Few values have an integer that a number cannot keep, so that nobody is asked to look for one first.
    if (!(error instanceof TypeError) || !hasBigint(value)) throw error;
    return written(value, ' '.repeat(space), '') ?? 'null';
  }
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}

function written(value: unknown, indent: string, margin: string): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  const inner = margin + indent;
  const colon = indent === '' ? ':' : ': ';
  const parts = Array.isArray(value)
    ? value.map((one) => written(one, indent, inner) ?? 'null')
    : Object.entries(value).flatMap(([name, one]) => {
        const text = written(one, indent, inner);
        return text === undefined ? [] : [`${JSON.stringify(name)}${colon}${text}`];
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0 || indent === '') return `${open}${parts.join(',')}${close}`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

/**
 * What may be an integer that a number cannot keep. Longer ones than those of 64 bits stay numbers, as in every reader
 * of JSON.
 */
const LONG = /(?<![0-9.eE+-])-?[0-9]{16,20}(?![0-9.eE])/g;

/**
 * Parses JSON as `JSON.parse` does. An integer of 64 bits that a number cannot keep becomes a `bigint`. Throws
 * `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (text.search(LONG) < 0) return plain;
  // No string of the text has so many of them in a row, however it is written.
  let longest = 0;
  for (const [run] of text.matchAll(/(?:#|\\u0023)+/g)) longest = Math.max(longest, run.length);
  const mark = '#'.repeat(longest + 1);
  return JSON.parse(
    outsideOfStrings(text, LONG, (digits) => {
      return exactInteger(digits) === undefined ? digits : `"${mark}${digits}"`;
    }),
    (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Returns an integer of 64 bits that a number cannot keep, and undefined for every other one. */
function exactInteger(digits: string): bigint | undefined {
  const value = BigInt(digits);
  if (String(Number(value)) === String(value) || value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  return value;
}

/** Replaces what `pattern` finds between the strings of a JSON text. */
function outsideOfStrings(text: string, pattern: RegExp, replace: (found: string) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const gap = quote < 0 ? text.length : quote;
    parts.push(text.slice(at, gap).replace(pattern, replace));
    at = quote < 0 ? text.length : endOfString(text, quote) + 1;
    parts.push(text.slice(gap, at));
  }
  return parts.join('');
}

/**
 * Returns where the string of a JSON text ends that begins at `start`: at the first quote that no backslash escapes.
 */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}
