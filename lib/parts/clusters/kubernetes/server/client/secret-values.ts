import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';

/** What servers put before a value that they refuse. */
const INVALID = 'Invalid value: ';
const UNSTRUCTURED = 'valueUnstructured{Value:';
/** Values shorter than this would blank innocent words; they are blanked only where they are quoted as values. */
const SHORTEST = 4;

/**
 * Returns a function that blanks the values of a Secret in what a server says of it; undefined for every other kind.
 */
export function blankValues({ kind, data, stringData }: KubernetesObject): ((text: string) => string) | undefined {
  if (kind !== 'Secret') return undefined;
  const values = [data, stringData].flatMap(leaves).filter((value) => value.length >= SHORTEST);
  const decoded = leaves(data).map((value) => Buffer.from(value, 'base64').toString());
  // The longest first, so that none is blanked in part.
  const secrets = [...values, ...decoded.filter((value) => value.length >= SHORTEST)].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    const rest = blanked(blanked(text, INVALID, valueEnd), UNSTRUCTURED, unstructuredEnd);
    return secrets.reduce((part, secret) => part.replaceAll(secret, '***'), rest);
  };
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? [] : [String(value)];
  return Object.values(value).flatMap(leaves);
}

/** Returns `text` with `***` in place of each value behind `words`. */
function blanked(text: string, words: string, endOf: (text: string, at: number) => number): string {
  const parts: string[] = [];
  let at = 0;
  for (let next = text.indexOf(words); next >= 0; next = text.indexOf(words, at)) {
    parts.push(text.slice(at, next + words.length), '***');
    at = endOf(text, next + words.length);
  }
  return parts.join('') + text.slice(at);
}

/**
 * Returns where the value ends that begins at `at`. What is never closed ends with the text: all of it may be the
 * value.
 */
function valueEnd(text: string, at: number): number {
  const closing = { '"': '"', '{': '}', '[': ']' }[text[at] ?? ''];
  if (closing === '"') return stringEnd(text, at);
  if (closing !== undefined) return text.indexOf(closing, at) + 1 || text.length;
  const word = /[^\s:"]*/y;
  word.lastIndex = at;
  return at + word.exec(text)![0].length;
}

function unstructuredEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  const end = text.indexOf('}', at);
  return end < 0 || text.endsWith('}') ? text.length : end;
}

/** Returns where the string ends that is quoted from `at` on. */
function stringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '"') return next + 1;
  }
  return text.length;
}
