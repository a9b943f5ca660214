import { limits } from './limits.ts';
import { type DirectoryNode, unrepresentable } from './nodes.ts';
import { rowsOf, type TreeKind } from './trees.ts';

/** A directory in the order of the path table of one tree. */
export interface NumberedDirectory {
  readonly node: DirectoryNode;
  /** As the path table stores it; the top's is one zero byte. */
  readonly identifier: Uint8Array;
  /** Number of the parent in the table, from 1; the top is its own. */
  readonly parent: number;
}

/** A path table without its numbers of blocks, in the byte order of type L or type M (ECMA-119 8.4.16, 8.4.18). */
export type PathTableType = 'L' | 'M';

/**
 * The directories of one tree, by depth, then number of the parent, then identifier (ECMA-119 6.9.1). Throws
 * `FormatError` `iso9660-unrepresentable` for a path that grows beyond what readers accept under its new names.
 */
export function numberDirectories(kind: TreeKind, top: DirectoryNode): NumberedDirectory[] {
  const table: NumberedDirectory[] = [{ node: top, identifier: Uint8Array.of(0), parent: 1 }];
  const lengths = [0];
  // The table is a queue that grows while it is read.
  for (let number = 1; number <= table.length; number += 1) {
    const { node: parent } = table[number - 1]!;
    const length = lengths[number - 1]!;
    for (const { node, identifier } of rowsOf(kind, parent)) {
      const total = length + 1 + Buffer.byteLength(identifier);
      if (total > limits.path) {
        const path = node.kind === 'file' ? node.entry.path : node.path;
        throw unrepresentable(path, `it has more than ${limits.path} bytes in the ${kind.name}`);
      }
      if (node.kind === 'file') continue;
      table.push({ node, identifier: kind.encode(identifier, 'directory'), parent: number });
      lengths.push(total);
    }
  }
  return table;
}

/** Bytes of a path table; the same for both types. */
export function pathTableSize(table: readonly NumberedDirectory[]): number {
  return table.reduce((size, { identifier }) => size + recordSize(identifier), 0);
}

/** A path table (ECMA-119 9.4). `blockOf` tells where the extent of a directory lies. */
export function encodePathTable(
  table: readonly NumberedDirectory[],
  type: PathTableType,
  blockOf: (node: DirectoryNode) => number,
): Uint8Array {
  const bytes = Buffer.alloc(pathTableSize(table));
  let at = 0;
  for (const { node, identifier, parent } of table) {
    bytes[at] = identifier.length;
    if (type === 'L') {
      bytes.writeUInt32LE(blockOf(node), at + 2);
      bytes.writeUInt16LE(parent, at + 6);
    } else {
      bytes.writeUInt32BE(blockOf(node), at + 2);
      bytes.writeUInt16BE(parent, at + 6);
    }
    bytes.set(identifier, at + 8);
    at += recordSize(identifier);
  }
  return bytes;
}

function recordSize(identifier: Uint8Array): number {
  return 8 + identifier.length + (identifier.length % 2);
}
