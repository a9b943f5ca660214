import { type Field, type FieldGroups, field, run } from './fields.ts';

/** Bytes of a block of a tar file. */
export const BLOCK = 512;

/** Finds the header blocks of a sound tar file. */
export function tarHeaders(archive: Buffer): number[] {
  const headers: number[] = [];
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    headers.push(at);
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return headers;
}

/** Finds the fields of the headers (POSIX.1-2017 pax "ustar Header Block"). */
export function tarFields(archive: Buffer): FieldGroups {
  const groups: Record<string, Field[]> = { names: [], numbers: [], flags: [] };
  for (const at of tarHeaders(archive)) {
    groups['names']!.push(run(at, 100), run(at + 157, 100), run(at + 345, 155));
    groups['numbers']!.push(run(at + 100, 8, 'octal'), run(at + 124, 12, 'octal'), field(at + 124, 'byte'));
    groups['flags']!.push(field(at + 156, 'byte'), run(at + 257, 8), run(at + 148, 8, 'octal'));
  }
  return groups;
}

/** Corrects the checksum of a header block. */
export function seal(block: Buffer): void {
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}
