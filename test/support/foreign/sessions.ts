import { readFileSync, writeFileSync } from 'node:fs';
import { ok } from '../judges.ts';

const SECTOR = 2048;

/**
 * Writes two sessions with genisoimage: `first`, and one that adds `second` to it, after the other as on a disc that is
 * written once. Returns the block at which the second begins.
 */
export async function twoSessions(image: string, first: string, second: string): Promise<number> {
  const flags = ['-quiet', '-R', '-J', '-input-charset', 'utf-8'];
  await ok('genisoimage', [...flags, '-o', image, first]);
  const bytes = readFileSync(image);
  const start = Math.ceil(bytes.length / SECTOR / 16) * 16;
  await ok('genisoimage', [...flags, '-M', image, '-C', `0,${start}`, '-o', `${image}.next`, second]);
  const gap = Buffer.alloc(start * SECTOR - bytes.length);
  writeFileSync(image, Buffer.concat([bytes, gap, readFileSync(`${image}.next`)]));
  return start;
}

/** Puts the session that begins at block `start` in effect, as growisofs does: copies its descriptors to block 16. */
export function putInEffect(image: string, start: number): void {
  const bytes = readFileSync(image);
  bytes.copy(bytes, 16 * SECTOR, (start + 16) * SECTOR, (start + 32) * SECTOR);
  writeFileSync(image, bytes);
}

/** The sectors of an image as a disc has them, each with what is around its block (ECMA-130 14); checksums are zero. */
export function rawSectors(bytes: Buffer, size: number, before: number): Buffer {
  const count = Math.ceil(bytes.length / SECTOR);
  const raw = Buffer.alloc(count * size);
  for (let sector = 0; sector < count; sector += 1) {
    if (before >= 16) raw.fill(0xff, sector * size + 1, sector * size + 11);
    bytes.copy(raw, sector * size + before, sector * SECTOR, (sector + 1) * SECTOR);
  }
  return raw;
}
