import { recordFlags, SECTOR } from './sector.ts';

/** Bytes of a directory record before its identifier (ECMA-119 9.1). */
export const RECORD_HEAD = 33;

/** The most bytes of a directory record: its length is one byte, and even. */
const RECORD_LIMIT = 254;

/** What a directory record says. */
export interface RecordFields {
  readonly identifier: Uint8Array;
  /** Logical block of the extent's first byte. */
  readonly block: number;
  /** Bytes of the extent, below 2^32. */
  readonly size: number;
  readonly directory: boolean;
  /** Whether another section of the same file follows. */
  readonly more?: boolean;
  /** 7 bytes, from `recordDate`. */
  readonly date: Uint8Array;
  readonly systemUse?: Uint8Array;
}

/** Bytes that a record with an identifier of `length` bytes has left for its System Use field. */
export function systemUseRoom(length: number): number {
  return RECORD_LIMIT - systemUseStart(length);
}

/** Where the System Use field begins: after the identifier, on an even byte (ECMA-119 9.1.12, 9.1.13). */
export function systemUseStart(length: number): number {
  return RECORD_HEAD + length + (length % 2 === 0 ? 1 : 0);
}

/** The bytes of a directory record (ECMA-119 9.1). */
export function encodeRecord(fields: RecordFields): Uint8Array {
  const { identifier, systemUse = new Uint8Array() } = fields;
  const start = systemUseStart(identifier.length);
  const length = start + systemUse.length + (systemUse.length % 2);
  const record = Buffer.alloc(length);
  record[0] = length;
  both32(record, 2, fields.block);
  both32(record, 10, fields.size);
  record.set(fields.date, 18);
  record[25] = (fields.directory ? recordFlags.directory : 0) | (fields.more ? recordFlags.more : 0);
  both16(record, 28, 1);
  record[32] = identifier.length;
  record.set(identifier, RECORD_HEAD);
  record.set(systemUse, start);
  return record;
}

/** Lays out pieces one after the other, none across the end of a sector (ECMA-119 6.8.1.1); fills the last sector. */
export function packSectors(pieces: readonly Uint8Array[]): Uint8Array {
  const starts: number[] = [];
  let end = 0;
  for (const piece of pieces) {
    const left = SECTOR - (end % SECTOR);
    const start = piece.length > left ? end + left : end;
    starts.push(start);
    end = start + piece.length;
  }
  const bytes = Buffer.alloc(Math.ceil(end / SECTOR) * SECTOR);
  for (const [at, piece] of pieces.entries()) bytes.set(piece, starts[at]!);
  return bytes;
}

/** Writes a 32-bit number in both byte orders, 8 bytes (ECMA-119 7.3.3). */
export function both32(target: Buffer, offset: number, value: number): void {
  target.writeUInt32LE(value, offset);
  target.writeUInt32BE(value, offset + 4);
}

/** Writes a 16-bit number in both byte orders, 4 bytes (ECMA-119 7.2.3). */
export function both16(target: Buffer, offset: number, value: number): void {
  target.writeUInt16LE(value, offset);
  target.writeUInt16BE(value, offset + 2);
}
