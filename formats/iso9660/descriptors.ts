import { type Instant, noDate, volumeDate } from './dates.ts';
import type { DirectoryPlace } from './directory.ts';
import { both16, both32, encodeRecord } from './record.ts';
import { SECTOR } from './sector.ts';

/** The 512 bytes of the primary volume descriptor that `implantisomd5` may fill. Spaces tell it that they are free. */
const applicationUse = { offset: 883, size: 512 } as const;

/** The values of a volume descriptor, of the primary tree or of Joliet's. */
export interface DescriptorFields {
  readonly joliet: boolean;
  readonly volumeId: string;
  /** Blocks of the whole volume. */
  readonly blocks: number;
  readonly pathTable: { readonly size: number; readonly l: number; readonly m: number };
  readonly top: DirectoryPlace;
  /** The date of the top directory's record, 7 bytes. */
  readonly date: Uint8Array;
  /** Seconds since 1970. */
  readonly created: number;
  readonly modified: Instant;
}

/**
 * The program that wrote the image. No version is named: the same content gives the same bytes, whatever release wrote
 * it.
 */
const APPLICATION = 'SOLPACK';

/** Joliet level 3 (Joliet specification, "SVD Escape Sequences field"). */
const ESCAPE_LEVEL_3 = '%/E';

/** Identifiers that stay blank, as offset and length. */
const blanks = [
  [8, 32],
  [190, 128],
  [318, 128],
  [446, 128],
  [702, 37],
  [739, 37],
  [776, 37],
] as const;

/** Encodes a primary volume descriptor, or the supplementary one of Joliet: 2048 bytes (ECMA-119 8.4, 8.5). */
export function encodeDescriptor(fields: DescriptorFields): Uint8Array {
  const bytes = start(fields.joliet ? 2 : 1);
  const identify = (offset: number, length: number, value: string): void => {
    bytes.set(fields.joliet ? ucs2(value, length) : Buffer.from(value.padEnd(length), 'latin1'), offset);
  };
  for (const [offset, length] of blanks) identify(offset, length, '');
  identify(40, 32, fields.volumeId);
  identify(574, 128, APPLICATION);
  both32(bytes, 80, fields.blocks);
  if (fields.joliet) bytes.write(ESCAPE_LEVEL_3, 88, 'latin1');
  both16(bytes, 120, 1);
  both16(bytes, 124, 1);
  both16(bytes, 128, SECTOR);
  both32(bytes, 132, fields.pathTable.size);
  bytes.writeUInt32LE(fields.pathTable.l, 140);
  bytes.writeUInt32BE(fields.pathTable.m, 148);
  bytes.set(encodeRecord({ ...fields.top, identifier: Uint8Array.of(0), directory: true, date: fields.date }), 156);
  bytes.set(volumeDate({ seconds: fields.created, centiseconds: 0 }), 813);
  bytes.set(volumeDate(fields.modified), 830);
  bytes.set(noDate, 847);
  bytes.set(noDate, 864);
  bytes[881] = 1;
  if (!fields.joliet) bytes.fill(' ', applicationUse.offset, applicationUse.offset + applicationUse.size);
  return bytes;
}

/** Encodes the descriptor that ends the set: 2048 bytes (ECMA-119 8.3). */
export function encodeTerminator(): Uint8Array {
  return start(255);
}

function start(type: number): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes[0] = type;
  bytes.write('CD001', 1, 'latin1');
  bytes[6] = 1;
  return bytes;
}

/**
 * Encodes `value` in UCS-2, big-endian, cut or filled with spaces to `length` bytes. The last byte of an odd length
 * stays zero.
 */
function ucs2(value: string, length: number): Uint8Array {
  const units = Math.floor(length / 2);
  return Buffer.from(value.slice(0, units).padEnd(units), 'utf16le').swap16();
}
