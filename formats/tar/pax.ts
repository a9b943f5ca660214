import { bad, strictText } from './block.ts';

/** Decodes a name in the header at `offset`. */
export type TextOf = (bytes: Uint8Array, offset: number) => string;

/** The records of a pax header that change what an entry is. */
export interface PaxRecords {
  readonly path?: string;
  readonly linkpath?: string;
  /** In bytes. */
  readonly size?: number;
  /** A record that makes the entry a sparse file, whose bytes are not in one piece. */
  readonly sparse?: string;
}

/**
 * Decodes the body of the pax header at `offset`; records without a bearing on the entry's name, size or place are
 * passed over. Throws `FormatError` `tar-header`. Follows POSIX.1-2017 pax, "pax Extended Header": `length
 * keyword=value\n`, where the length counts the whole record. `textOf` decodes names; they have to be UTF-8 if nobody
 * says otherwise.
 */
export function decodePax(body: Uint8Array, offset: number, textOf: TextOf = strictText): PaxRecords {
  const records: { path?: string; linkpath?: string; size?: number; sparse?: string } = {};
  const seen = new Set<string>();
  for (const { key, value } of paxRecords(body, offset)) {
    if (key.startsWith('GNU.sparse.') || key === 'SCHILY.realsize') records.sparse = key;
    if (key !== 'path' && key !== 'linkpath' && key !== 'size') continue;
    if (seen.has(key)) throw bad(`has two pax records of ${key}`, offset);
    seen.add(key);
    if (value.length === 0) throw bad(`has an empty pax record of ${key}`, offset);
    if (key === 'size') records.size = decimal(value, offset);
    else records[key] = textOf(value, offset);
  }
  return records;
}

/** A record of a pax header; its value is not decoded. */
interface PaxRecord {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Splits the body of the pax header at `offset` into its records, in order. Throws `FormatError` `tar-header`. */
export function* paxRecords(body: Uint8Array, offset: number): Generator<PaxRecord> {
  for (let at = 0; at < body.length; ) {
    const { next, ...record } = decodeRecord(body, at, offset);
    yield record;
    at = next;
  }
}

function decodeRecord(body: Uint8Array, at: number, offset: number): PaxRecord & { readonly next: number } {
  // Seven digits are enough for the largest body that is read.
  const digits = /^([1-9][0-9]{0,6}) /.exec(Buffer.from(body.subarray(at, at + 8)).toString('latin1'))?.[1];
  if (digits === undefined) throw bad('has a pax record without a length', offset);
  const next = at + Number(digits);
  const start = at + digits.length + 1;
  if (next > body.length || next <= start || body[next - 1] !== 0x0a) {
    throw bad('has a pax record of a wrong length', offset);
  }
  const record = body.subarray(start, next - 1);
  const equals = record.indexOf(0x3d);
  if (equals <= 0) throw bad('has a pax record without a keyword', offset);
  return { key: strictText(record.subarray(0, equals), offset), value: record.subarray(equals + 1), next };
}

function decimal(value: Uint8Array, offset: number): number {
  const digits = strictText(value, offset);
  const size = Number(digits);
  if (!/^[0-9]{1,16}$/.test(digits) || !Number.isSafeInteger(size)) throw bad('has an invalid pax size', offset);
  return size;
}
