import { measureDirectory, type Place } from './directory.ts';
import { limits } from './limits.ts';
import { type DirectoryNode, isDirectory, unrepresentable } from './nodes.ts';
import { SECTOR } from './sector.ts';
import { type Row, rowsOf, type TreeKind } from './trees.ts';

/** A directory of one tree. */
export interface PlannedDirectory extends Place {
  readonly node: DirectoryNode;
  /** Its identifier in this tree; '' for the top. */
  readonly identifier: string;
  /** Number of the parent in the path table, from 1; the top is its own. */
  readonly parent: number;
  /** Logical block of its records, once it has a place. */
  block: number;
  size: number;
  /** Bytes of its continuation area, in whole sectors. */
  continuation: number;
  /** Its children, where they were kept. */
  readonly rows: readonly Row[] | undefined;
}

/** Children of one tree that are kept from the planning: of a larger one they are made again, and take no memory meanwhile. */
const KEPT = 16_384;

/** The children of a directory in the order of their records. */
export function plannedRows(kind: TreeKind, { node, rows }: PlannedDirectory): readonly Row[] {
  return rows ?? rowsOf(kind, node);
}

/**
 * The directories of one tree in the order of its path table: by depth, then number of the parent, then identifier
 * (ECMA-119 6.9.1), with their sizes. Throws `FormatError` `iso9660-unrepresentable` for a path or a directory that grows
 * beyond what readers accept.
 */
export function planDirectories(kind: TreeKind, top: DirectoryNode): PlannedDirectory[] {
  const unknown = { block: 0, size: 0, continuation: 0, rows: undefined };
  const table: PlannedDirectory[] = [{ node: top, identifier: '', parent: 1, ...unknown }];
  const lengths = [0];
  let [total, kept] = [0, 0];
  // The table is a queue that grows while it is read.
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
 * Gives each directory its place, the first at logical block `start`, each directly before its continuation area: readers
 * that go forward only look nowhere else. Returns the block after them.
 */
export function placeDirectories(table: readonly PlannedDirectory[], start: number): number {
  let block = start;
  for (const directory of table) {
    directory.block = block;
    block += (directory.size + directory.continuation) / SECTOR;
  }
  return block;
}

function requireShortPaths(kind: TreeKind, rows: readonly Row[], length: number): void {
  for (const { node, identifier } of rows) {
    // No character takes more than three bytes a unit; few paths are long enough to be counted.
    if (length + 1 + 3 * identifier.length <= limits.path) continue;
    if (length + 1 + Buffer.byteLength(identifier) <= limits.path) continue;
    throw unrepresentable(node.path, `it has more than ${limits.path} bytes in the ${kind.name}`);
  }
}

function requireReadable(kind: TreeKind, { node, size }: PlannedDirectory, total: number): void {
  if (size > limits.directory) {
    const why = `its directory has ${size} bytes in the ${kind.name}, more than ${limits.directory}`;
    throw unrepresentable(node.path, why);
  }
  if (total > limits.directories) {
    const why = `with it the directories of the ${kind.name} have more than ${limits.directories} bytes`;
    throw unrepresentable(node.path, why);
  }
}
