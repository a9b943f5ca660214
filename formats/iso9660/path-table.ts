import type { StructureField } from '../segments.ts';
import { fieldNameAt } from './field-names.ts';
import type { PlannedDirectory } from './plan-directories.ts';
import type { TreeKind } from './tree-kinds.ts';

/** The byte order of a path table: type L is little-endian, type M big-endian (ECMA-119 8.4.16, 8.4.18). */
export type PathTableType = 'L' | 'M';

/** Returns how many bytes the path table of `table` has. Both types have the same size. */
export function pathTableSize(kind: TreeKind, table: readonly PlannedDirectory[]): number {
  return table.reduce((size, directory) => size + recordSize(identifierLength(kind, directory)), 0);
}

/** Encodes a path table (ECMA-119 9.4) and fills it up with zeros to `size` bytes. */
export function encodePathTable(
  kind: TreeKind,
  table: readonly PlannedDirectory[],
  type: PathTableType,
  size: number,
): Uint8Array {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const directory of table) {
    const identifier = identifierOf(kind, directory);
    bytes[at] = identifier.length;
    if (type === 'L') {
      bytes.writeUInt32LE(directory.block, at + 2);
      bytes.writeUInt16LE(directory.parent, at + 6);
    } else {
      bytes.writeUInt32BE(directory.block, at + 2);
      bytes.writeUInt16BE(directory.parent, at + 6);
    }
    bytes.set(identifier, at + 8);
    at += recordSize(identifier.length);
  }
  return bytes;
}

/** Fields of a path table record (ECMA-119 9.4). */
const fields = [
  [0, 'length of directory identifier'],
  [1, 'extended attribute record length'],
  [2, 'location of extent'],
  [6, 'parent directory number'],
  [8, 'directory identifier'],
] as const;

/** Names the structure and the field in which byte `at` of a path table lies; `name` is what the table is called. */
export function pathTableField(
  kind: TreeKind,
  table: readonly PlannedDirectory[],
  name: string,
  at: number,
): StructureField {
  let start = 0;
  for (const directory of table) {
    const length = identifierLength(kind, directory);
    const structure = `record of ${directory.node.path === '' ? 'the top' : directory.node.path} in the ${name}`;
    const within = at - start;
    if (within >= 8 + length && within < recordSize(length)) return { structure, field: 'padding' };
    if (within < recordSize(length)) return { structure, field: fieldNameAt(fields, within) };
    start += recordSize(length);
  }
  return { structure: name, field: 'padding' };
}

/** Encodes an identifier as path tables store it. That of the top is one zero byte, in both trees (ECMA-119 9.4.5). */
function identifierOf(kind: TreeKind, { node, identifier }: PlannedDirectory): Uint8Array {
  return node.parent ? kind.encode(identifier, true) : Uint8Array.of(0);
}

function identifierLength(kind: TreeKind, { node, identifier }: PlannedDirectory): number {
  return node.parent ? kind.encodedLength(identifier, true) : 1;
}

function recordSize(identifier: number): number {
  return 8 + identifier + (identifier % 2);
}
