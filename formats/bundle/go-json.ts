import { byteOrder } from '../bytes.ts';
import { isRecord } from '../record.ts';

/** Letters that Go's encoding/json never writes as they are, so that what it writes can stand in HTML. */
const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Writes a value as Go's encoding/json does: the fields of mappings in order if `sorts`, otherwise as they are. */
export function goJson(value: unknown, sorts: boolean = false): string {
  if (Array.isArray(value)) return `[${value.map((one) => goJson(one, sorts)).join(',')}]`;
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, one]) => one !== undefined);
    if (sorts) fields.sort(([a], [b]) => byteOrder(a, b));
    return `{${fields.map(([name, one]) => `${goText(name)}:${goJson(one, sorts)}`).join(',')}}`;
  }
  return typeof value === 'string'
    ? goText(value)
    : typeof value === 'bigint'
      ? String(value)
      : JSON.stringify(value ?? null);
}

function goText(value: string): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (letter) => escapes[letter]!);
}
