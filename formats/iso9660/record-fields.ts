import { type FieldNames, fieldNameAt } from './field-names.ts';
import { RECORD_HEAD, systemUseStart } from './record.ts';
import type { WritableEntry } from './rock-ridge.ts';

/** Fields of a directory record (ECMA-119 9.1). */
const fields: FieldNames = [
  [0, 'length of directory record'],
  [1, 'extended attribute record length'],
  [2, 'location of extent'],
  [10, 'data length'],
  [18, 'recording date and time'],
  [25, 'file flags'],
  [26, 'file unit size'],
  [27, 'interleave gap size'],
  [28, 'volume sequence number'],
  [32, 'length of file identifier'],
  [RECORD_HEAD, 'file identifier'],
];

/**
 * Names the field of a directory record in which its byte `at` lies: as ECMA-119 calls it, or by its System Use entry.
 * The record has an identifier of `identifier` bytes, then `entries`.
 */
export function recordField(at: number, identifier: number, entries: readonly WritableEntry[]): string {
  if (at < RECORD_HEAD + identifier) return fieldNameAt(fields, at);
  return at < systemUseStart(identifier) ? 'padding' : entryField(at - systemUseStart(identifier), entries);
}

/** Names the System Use entry of a run of `entries` in which byte `at` lies. */
export function entryField(at: number, entries: readonly WritableEntry[]): string {
  let end = 0;
  for (const { signature, length } of entries) {
    end += length;
    if (at < end) return `${signature} entry`;
  }
  return 'padding';
}
