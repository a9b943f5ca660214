import { SECTOR, SYSTEM_SECTORS } from './sector.ts';

/** How many bytes from the beginning say what an image is. */
export const KIND_HEAD = 64 * 1024;

/** The standard identifier, with which a volume descriptor begins (ECMA-119 8.1.2). */
const identifier = 'CD001';

/**
 * Raw sectors of discs, which have headers and checksums around each block: size of a sector, and bytes before its
 * block.
 */
const rawSectors = [
  [2352, 16],
  [2352, 24],
  [2336, 8],
  [2448, 16],
  [2448, 24],
] as const;

/** Returns whether a volume descriptor begins at `at`. */
export function hasIdentifier(bytes: Uint8Array, at: number): boolean {
  return has(bytes, at + 1, identifier);
}

/**
 * Returns what an image is if it is related to ISO 9660 but not read here, and what to do about it; `head` is its
 * beginning. Returns undefined for everything else.
 */
export function otherKind(head: Uint8Array): string | undefined {
  const first = SYSTEM_SECTORS * SECTOR;
  for (const [size, before] of rawSectors) {
    if (!hasIdentifier(head, SYSTEM_SECTORS * size + before)) continue;
    return `raw sectors of ${size} bytes, not of ${SECTOR}; make an .iso of it, for example with bchunk`;
  }
  if (has(head, first + 9, 'CDROM')) return 'the High Sierra format, the predecessor of ISO 9660';
  // The extended area of ECMA-167 2/9, without the descriptors of ISO 9660 before it: UDF alone.
  if (has(head, first + 1, 'BEA01') || has(head, first + 1, 'NSR0')) return 'only UDF, without ISO 9660';
  return undefined;
}

function has(bytes: Uint8Array, at: number, text: string): boolean {
  return Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;
}
