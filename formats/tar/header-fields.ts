import type { StructureField } from '../segments.ts';
import { BLOCK } from './block.ts';

/** Fields of a header block (POSIX.1-2017 pax, "ustar Interchange Format"): the first byte of each, and its name. */
const fields = [
  [0, 'name'],
  [100, 'mode'],
  [108, 'uid'],
  [116, 'gid'],
  [124, 'size'],
  [136, 'mtime'],
  [148, 'chksum'],
  [156, 'typeflag'],
  [157, 'linkname'],
  [257, 'magic'],
  [263, 'version'],
  [265, 'uname'],
  [297, 'gname'],
  [329, 'devmajor'],
  [337, 'devminor'],
  [345, 'prefix'],
  [500, 'padding'],
] as const;

/**
 * What the byte at `at` of the header of `path` belongs to; in `size` bytes, of which the last 512 are its own block.
 */
export function headerPart(path: string, size: number, at: number): StructureField {
  const own = size - BLOCK;
  if (at >= BLOCK && at < own) return { structure: `pax header of ${path}`, field: 'records' };
  const structure = `${at < own ? 'pax header' : 'tar header'} of ${path}`;
  const field = fields.findLast(([offset]) => offset <= at % BLOCK)![1];
  return { structure, field };
}
