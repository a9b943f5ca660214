import { FormatError } from '../error.ts';
import { RECORD_HEAD, systemUseStart } from './record.ts';
import { recordFlags, SECTOR } from './sector.ts';
import { type DirectoryExtent, readBoth16, readBoth32, type Volume } from './volume.ts';

/** A directory record as it is stored. Its own fields were checked, not what they point to. */
export interface RawRecord {
  /** The byte of the image at which the record begins. */
  readonly offset: number;
  readonly identifier: Uint8Array;
  readonly block: number;
  readonly size: number;
  readonly flags: number;
  readonly systemUse: Uint8Array;
}

/** Bytes of a directory that are read at a time. */
const CHUNK = 64 * SECTOR;

/**
 * Reads the records of a directory in the order stored, `.` and `..` included. They come many at a time: to wait for
 * each of a million would be slow. Throws as `parseRecord` does.
 */
export async function* readRecords(volume: Volume, directory: DirectoryExtent): AsyncGenerator<Iterable<RawRecord>> {
  const start = directory.block * SECTOR;
  for (let at = 0; at < directory.size; at += CHUNK) {
    const read = await volume.source.read(start + at, Math.min(CHUNK, directory.size - at));
    // Slicing a plain array of bytes is much faster than slicing a Buffer.
    const bytes = new Uint8Array(read.buffer, read.byteOffset, read.length);
    yield chunkRecords(bytes, start + at, volume.lenient);
  }
}

function* chunkRecords(bytes: Uint8Array, offset: number, lenient: boolean): Generator<RawRecord> {
  for (let start = 0; start < bytes.length; start += SECTOR) {
    const sector = bytes.subarray(start, start + SECTOR);
    // A length of zero ends a sector: the next record did not fit in.
    for (let at = 0; at < sector.length && sector[at] !== 0; at += sector[at]!) {
      yield parseRecord(sector, at, offset + start, lenient);
    }
  }
}

/** Reads the first record of a directory, which is about the directory itself (ECMA-119 6.8.2.2). */
export async function readSelf(volume: Volume, block: number): Promise<RawRecord> {
  const offset = block * SECTOR;
  const record = parseRecord(await volume.source.read(offset, SECTOR), 0, offset, volume.lenient);
  if (!isSpecial(record, 0) || (record.flags & recordFlags.directory) === 0 || record.block !== block) {
    throw damagedRecord(offset, 'it should be that of the directory itself');
  }
  return record;
}

/** Returns whether a record is about the directory itself (`value` 0) or its parent (`value` 1). */
export function isSpecial(record: RawRecord, value: 0 | 1): boolean {
  return record.identifier.length === 1 && record.identifier[0] === value;
}

/**
 * Parses the record at `at` of a sector that begins at byte `offset` of the image (ECMA-119 9.1). Throws `FormatError`
 * `iso9660-record`, `iso9660-byte-order`, or `iso9660-unsupported` for extents that are not plain runs of bytes.
 */
export function parseRecord(sector: Uint8Array, at: number, offset: number, lenient: boolean): RawRecord {
  const where = offset + at;
  const length = sector[at] ?? 0;
  if (length <= RECORD_HEAD) throw damagedRecord(where, `its length is ${length}, and ${RECORD_HEAD + 1} is the least`);
  if (at + length > sector.length)
    throw damagedRecord(where, `its length is ${length}, which crosses the end of a sector`);
  const record = sector.subarray(at, at + length);
  const nameLength = record[32]!;
  const nameEnd = RECORD_HEAD + nameLength;
  if (nameLength === 0) throw damagedRecord(where, 'it has no identifier');
  if (nameEnd > length) throw damagedRecord(where, `its identifier of ${nameLength} bytes crosses its end`);
  if (record[26] !== 0 || record[27] !== 0) throw unsupportedRecord(where, 'an interleaved file');
  if (record[1] !== 0) throw unsupportedRecord(where, 'an extended attribute record');
  readBoth16(record, 28, where, lenient);
  return {
    offset: where,
    identifier: record.subarray(RECORD_HEAD, nameEnd),
    block: readBoth32(record, 2, where, lenient),
    size: readBoth32(record, 10, where, lenient),
    flags: record[25]!,
    systemUse: record.subarray(Math.min(systemUseStart(nameLength), length)),
  };
}

/** Makes the error for a damaged directory record at byte `offset`. */
export function damagedRecord(offset: number, why: string): FormatError {
  return new FormatError('iso9660-record', `the directory record at byte ${offset} is damaged: ${why}`, { offset });
}

/** Makes the error for a directory record at byte `offset` that uses what this reader refuses. */
export function unsupportedRecord(offset: number, what: string): FormatError {
  const message = `the directory record at byte ${offset} is of ${what}, which is not supported`;
  return new FormatError('iso9660-unsupported', message, { offset });
}
