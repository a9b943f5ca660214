import { type ReadAt, requireRange } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { sizePair } from '../size-words.ts';
import type { Extent } from '../tree.ts';
import { limits } from './limits.ts';
import { SECTOR, SYSTEM_SECTORS, sectors } from './sector.ts';

/** What the rest of the reader needs to know of an image whose descriptors were read. */
export interface Volume {
  readonly source: ReadAt;
  /** Logical blocks of the volume, as the primary volume descriptor states them. */
  readonly blocks: number;
  /** How many volume descriptors there are, the terminator included. They follow the system area. */
  readonly descriptors: number;
  /** Whether to take the little-endian copy of a number if the big-endian one differs. */
  readonly lenient: boolean;
}

/** Where the records of a directory lie. */
export interface DirectoryExtent {
  readonly block: number;
  /** Bytes, in whole sectors. */
  readonly size: number;
}

/**
 * Reads a 32-bit number stored in both byte orders, 8 bytes at `at` (ECMA-119 7.3.3). `offset` is where `bytes` begin
 * in the image. Throws `FormatError` `iso9660-byte-order`.
 */
export function readBoth32(bytes: Uint8Array, at: number, offset: number, lenient: boolean): number {
  requireRange(bytes.length, at, 8);
  const little = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  const big = (bytes[at + 4]! << 24) | (bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!;
  return agreed(little >>> 0, big >>> 0, offset + at, lenient);
}

/** Reads a 16-bit number stored in both byte orders, 4 bytes at `at` (ECMA-119 7.2.3). Throws as `readBoth32` does. */
export function readBoth16(bytes: Uint8Array, at: number, offset: number, lenient: boolean): number {
  requireRange(bytes.length, at, 4);
  return agreed(bytes[at]! | (bytes[at + 1]! << 8), (bytes[at + 2]! << 8) | bytes[at + 3]!, offset + at, lenient);
}

function agreed(little: number, big: number, offset: number, lenient: boolean): number {
  if (little === big || lenient) return little;
  const what = `the number at byte ${offset} is ${little} in little-endian and ${big} in big-endian order`;
  throw new FormatError('iso9660-byte-order', what, { offset });
}

/**
 * Returns the bytes of an extent. Throws `FormatError` `iso9660-extent` unless it lies in the volume and in the file
 * that holds the volume, and `iso9660-overlap` if it lies where the descriptors do. `what` names the extent in words.
 */
export function extentAt(volume: Volume, block: number, size: number, what: () => string): Extent {
  const offset = block * SECTOR;
  if (block + sectors(size) > volume.blocks || offset + size > volume.source.size) {
    const where = `${size} bytes at block ${block} are not all within the volume's ${volume.blocks} blocks`;
    throw new FormatError('iso9660-extent', `the extent of ${what()} is out of bounds: ${where}`, { offset });
  }
  if (size > 0 && block < SYSTEM_SECTORS + 2) {
    const where = `block ${block} belongs to the system area or the volume descriptors`;
    throw new FormatError('iso9660-overlap', `the extent of ${what()} is out of bounds: ${where}`, { offset });
  }
  return { offset, size };
}

/**
 * Returns the extent of a directory. Throws as `extentAt` does, and `iso9660-record` or `iso9660-limit` for a wrong
 * size.
 */
export function directoryAt(volume: Volume, block: number, size: number, what: () => string): DirectoryExtent {
  if (size > limits.directory) {
    const [own, most] = sizePair(size, limits.directory);
    const why = `${own}, but at most ${most} is read`;
    throw new FormatError('iso9660-limit', `${what()} has ${why}`, { offset: block * SECTOR });
  }
  if (size === 0 || size % SECTOR !== 0) {
    const why = `${size} bytes, which is not a whole number of sectors`;
    throw new FormatError('iso9660-record', `${what()} has ${why}`, { offset: block * SECTOR });
  }
  extentAt(volume, block, size, what);
  return { block, size };
}
