import { SECTOR, SYSTEM_SECTORS } from './sector.ts';

/** Bytes from the beginning that tell what an image is. */
export const KIND_HEAD = 64 * 1024;

/** What begins with the standard identifier of a volume descriptor (ECMA-119 8.1.2). */
const identifier = 'CD001';

/** Sectors of discs as they are read raw, with headers and checksums around each block: bytes, and those before it. */
const rawSectors = [
  [2352, 16],
  [2352, 24],
  [2336, 8],
  [2448, 16],
  [2448, 24],
] as const;

/** Whether a volume descriptor begins at `at`. */
export function hasIdentifier(bytes: Uint8Array, at: number): boolean {
  return has(bytes, at + 1, identifier);
}

/** What an image is, and what helps, where it is of a kind like ISO 9660 that is not read; `head` is its beginning. */
export function otherKind(head: Uint8Array): string | undefined {
  const first = SYSTEM_SECTORS * SECTOR;
  for (const [size, before] of rawSectors) {
    if (!hasIdentifier(head, SYSTEM_SECTORS * size + before)) continue;
    return `raw sectors of ${size} bytes, not of ${SECTOR}; make an .iso of it, for example with bchunk`;
  }
  if (has(head, first + 9, 'CDROM')) return 'the High Sierra format, which came before ISO 9660';
  // ECMA-167 2/9: the extended area of a volume without the descriptors of ISO 9660 before it.
  if (has(head, first + 1, 'BEA01') || has(head, first + 1, 'NSR0')) return 'UDF alone, without ISO 9660 beside it';
  return undefined;
}

function has(bytes: Uint8Array, at: number, text: string): boolean {
  return Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;
}
