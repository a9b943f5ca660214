import { sizePair, sizeWords } from '../size-words.ts';
import { type DirectoryPlace, measureDirectory } from './directory.ts';
import { limits } from './limits.ts';
import { type DirectoryNode, isDirectory, unrepresentable } from './nodes.ts';
import { SECTOR } from './sector.ts';
import { type DirectoryRow, rowsOf, type TreeKind } from './tree-kinds.ts';

/** A directory of one tree, with its sizes and, later, its place. */
export interface PlannedDirectory extends DirectoryPlace {
  readonly node: DirectoryNode;
  /** Its identifier in this tree; '' for the top. */
  readonly identifier: string;
  /** Number of the parent in the path table, from 1. The top is its own parent. */
  readonly parent: number;
  /** Logical block of its records; 0 until it has a place. */
  block: number;
  size: number;
  /** Bytes of its continuation area, in whole sectors. */
  continuation: number;
  /** Its children, unless there were too many to keep. */
  readonly rows: readonly DirectoryRow[] | undefined;
}

/**
 * The most children of one tree that are kept after planning. Those of a larger tree are made again, and take no memory
 * meanwhile.
 */
const KEPT = 16_384;

/** Returns the children of a directory in the order of their records. */
export function plannedRows(kind: TreeKind, { node, rows }: PlannedDirectory): readonly DirectoryRow[] {
  return rows ?? rowsOf(kind, node);
}

/**
 * Lists the directories of one tree with their sizes, in the order of its path table: by depth, then by the number of
 * the parent, then by identifier (ECMA-119 6.9.1). Throws `FormatError` `iso9660-unrepresentable` for a path or a
 * directory that is larger than readers accept.
 */
export function planDirectories(kind: TreeKind, top: DirectoryNode): PlannedDirectory[] {
  const unknown = { block: 0, size: 0, continuation: 0, rows: undefined };
  const table: PlannedDirectory[] = [{ node: top, identifier: '', parent: 1, ...unknown }];
  const lengths = [0];
  let [total, kept] = [0, 0];
  // The table is a queue: it grows while it is being read.
  for (let number = 1; number <= table.length; number += 1) {
    const directory = table[number - 1]!;
    const rows = rowsOf(kind, directory.node);
    requireShortPaths(kind, rows, lengths[number - 1]!);
    for (const { node, identifier } of rows) {
      if (!isDirectory(node)) continue;
      table.push({ node, identifier, parent: number, ...unknown });
      lengths.push(lengths[number - 1]! + 1 + Buffer.byteLength(identifier));
    }
    Object.assign(directory, measureDirectory(kind, directory.node, rows), kept + rows.length <= KEPT ? { rows } : {});
    kept += rows.length;
    total += directory.size;
    requireReadable(kind, directory, total);
  }
  return table;
}

/**
 * Gives each directory its place, the first one at logical block `start`. A directory lies directly before its
 * continuation area, where readers that only go forward look for it. Returns the block after the last one.
 */
export function placeDirectories(table: readonly PlannedDirectory[], start: number): number {
  let block = start;
  for (const directory of table) {
    directory.block = block;
    block += (directory.size + directory.continuation) / SECTOR;
  }
  return block;
}

function requireShortPaths(kind: TreeKind, rows: readonly DirectoryRow[], length: number): void {
  for (const { node, identifier } of rows) {
    // No UTF-16 unit takes more than three bytes, so only long paths have to be counted.
    if (length + 1 + 3 * identifier.length <= limits.path) continue;
    if (length + 1 + Buffer.byteLength(identifier) <= limits.path) continue;
    throw unrepresentable(node.path, `it has more than ${limits.path} bytes in the ${kind.name}`);
  }
}

function requireReadable(kind: TreeKind, { node, size }: PlannedDirectory, total: number): void {
  if (size > limits.directory) {
    const [own, most] = sizePair(size, limits.directory);
    const why = `its directory has ${own} in the ${kind.name}, more than ${most}`;
    throw unrepresentable(node.path, why);
  }
  if (total > limits.directories) {
    const why = `with it the directories of the ${kind.name} have more than ${sizeWords(limits.directories)}`;
    throw unrepresentable(node.path, why);
  }
}
