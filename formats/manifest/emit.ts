import { kubernetesScalars } from './scalars.ts';

/** Simple keys end at 1024 bytes (YAML 1.2.2, 8.2.2); longer ones are written with `?`. */
const SIMPLE_KEY = 1000;

/**
 * Writes a JSON value as block-style YAML that YAML 1.1 and 1.2 readers read alike, keys in the order they have. It
 * is narrower than what YAML allows: a string is plain where nothing could take it for anything else, a literal block
 * where it is plain text of several lines, and else quoted as in JSON. Fields that are undefined are left out.
 */
export function emitYaml(value: unknown): string {
  return `${node(value, '').replace(/^[\n ]/, '')}\n`;
}

/** What follows a key or a dash: ` scalar`, or a line break and the lines of a collection. */
function node(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []';
    return value.map((item) => `\n${indent}-${beside(item, `${indent}  `)}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    if (fields.length === 0) return ' {}';
    return fields.map(([key, field]) => `\n${indent}${keyed(key, field, indent)}`).join('');
  }
  if (typeof value === 'string') return ` ${string(value, indent)}`;
  if (typeof value === 'bigint') return ` ${value}`;
  // Beyond 64 bits readers differ about digits; below, Kubernetes writes them too, and takes nothing else for an
  // integer.
  const vast = Number.isInteger(value) && Math.abs(value as number) >= 2 ** 63;
  return ` ${vast ? (value as number).toExponential() : JSON.stringify(value ?? null)}`;
}

/** An item begins on the line of its dash. */
function beside(item: unknown, indent: string): string {
  const text = node(item, indent);
  return text.startsWith('\n') ? ` ${text.slice(1 + indent.length)}` : text;
}

function keyed(key: string, field: unknown, indent: string): string {
  const name = isPlain(key) ? key : quoted(key);
  const text = node(field, `${indent}  `);
  return Buffer.byteLength(name) > SIMPLE_KEY ? `? ${name}\n${indent}:${text}` : `${name}:${text}`;
}

function string(value: string, indent: string): string {
  if (isPlain(value)) return value;
  if (!isLiteral(value)) return quoted(value);
  const lines = value.replace(/\n$/, '').split('\n');
  const inner = indent === '' ? '  ' : indent;
  return `|${value.endsWith('\n') ? '' : '-'}${lines.map((line) => `\n${line === '' ? '' : inner + line}`).join('')}`;
}

/** Words of letters, digits and a few signs, so that no indicator and no other type than string is in question. */
function isPlain(value: string): boolean {
  return (
    value.length <= 4096 &&
    /^[A-Za-z/_](?:[\w./@%+=,()*-]|:(?=[\w/])| (?=[\w./@%+=,()*-]))*$/.test(value) &&
    !kubernetesScalars.some(({ test }) => test?.test(value))
  );
}

/**
 * Several lines of printable text that begin with neither space nor line break and end with at most one of the latter.
 */
function isLiteral(value: string): boolean {
  return (
    /^[\x21-\x7e][\s\S]*\n/.test(value) &&
    !/[^\n\t\x20-\x7e\xa1-\u1fff\u2030-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\uffef]|^\t|[ \t]$/m.test(value) &&
    !value.endsWith('\n\n')
  );
}

/** A JSON string, with what YAML 1.1 takes for a line break or for unprintable escaped as well. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
