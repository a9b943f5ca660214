import { recordFlags, SECTOR } from './sector.ts';

/** Bytes of a directory record before its identifier (ECMA-119 9.1). */
export const RECORD_HEAD = 33;

/** The most bytes of a directory record: its length is one byte, and even. */
const RECORD_LIMIT = 254;

/** The values of a directory record. */
export interface RecordFields {
  readonly identifier: Uint8Array;
  /** Logical block of the first byte of the extent. */
  readonly block: number;
  /** Bytes of the extent, below 2^32. */
  readonly size: number;
  readonly directory: boolean;
  /** Whether another section of the same file follows. */
  readonly more?: boolean | undefined;
  /** The date: 7 bytes, from `recordDate`. */
  readonly date: Uint8Array;
  readonly systemUse?: Uint8Array;
}

/** Returns how many bytes a record whose identifier has `length` bytes has left for its System Use field. */
export function systemUseRoom(length: number): number {
  return RECORD_LIMIT - systemUseStart(length);
}

/** Returns where the System Use field begins: after the identifier, on an even byte (ECMA-119 9.1.12, 9.1.13). */
export function systemUseStart(length: number): number {
  return RECORD_HEAD + length + (length % 2 === 0 ? 1 : 0);
}

/**
 * Returns the length of a record from the lengths of its identifier and its System Use field. It is always even
 * (ECMA-119 9.1.13).
 */
export function recordLength(identifier: number, systemUse: number): number {
  const length = systemUseStart(identifier) + systemUse;
  return length + (length % 2);
}

/** Encodes a directory record (ECMA-119 9.1). */
export function encodeRecord(fields: RecordFields): Uint8Array {
  const { identifier, systemUse = new Uint8Array() } = fields;
  const record = Buffer.alloc(recordLength(identifier.length, systemUse.length));
  writeRecord(record, 0, fields, systemUse.length);
  record.set(systemUse, systemUseStart(identifier.length));
  return record;
}

/**
 * Writes a record into `target`, which holds zeros there. The System Use field is left empty; it will have `systemUse`
 * bytes.
 */
export function writeRecord(
  target: Buffer,
  at: number,
  fields: Omit<RecordFields, 'systemUse'>,
  systemUse: number,
): void {
  const { identifier } = fields;
  target[at] = recordLength(identifier.length, systemUse);
  both32(target, at + 2, fields.block);
  both32(target, at + 10, fields.size);
  target.set(fields.date, at + 18);
  target[at + 25] = (fields.directory ? recordFlags.directory : 0) | (fields.more ? recordFlags.more : 0);
  both16(target, at + 28, 1);
  target[at + 32] = identifier.length;
  target.set(identifier, at + RECORD_HEAD);
}

/**
 * Returns where a piece of `length` bytes goes after `end` bytes: no piece crosses the end of a sector (ECMA-119
 * 6.8.1.1).
 */
export function placeAfter(end: number, length: number): number {
  const left = SECTOR - (end % SECTOR);
  return length > left ? end + left : end;
}

/** Writes a 32-bit number in both byte orders, 8 bytes (ECMA-119 7.3.3). Throws `RangeError` if it has more bits. */
export function both32(target: Buffer, offset: number, value: number): void {
  requireBelow(2 ** 32, value);
  // The methods of a Buffer are many times slower, and each record of a directory would need six of them.
  for (let at = 0; at < 4; at += 1) {
    const byte = value >>> (8 * at);
    target[offset + at] = byte;
    target[offset + 7 - at] = byte;
  }
}

/** Writes a 16-bit number in both byte orders, 4 bytes (ECMA-119 7.2.3). Throws `RangeError` if it has more bits. */
export function both16(target: Buffer, offset: number, value: number): void {
  requireBelow(2 ** 16, value);
  target[offset] = value;
  target[offset + 1] = value >>> 8;
  target[offset + 2] = value >>> 8;
  target[offset + 3] = value;
}

function requireBelow(limit: number, value: number): void {
  if (!(value >= 0 && value < limit)) throw new RangeError(`${value} is not from 0 to ${limit - 1}`);
}
