import { FormatError } from '../error.ts';
import type { Extent, TreeEntry } from '../tree.ts';
import { limits } from './limits.ts';
import { badName, identifierName, type Namespace, rockRidgeName } from './read-names.ts';
import { damaged, isSpecial, type RawRecord, readRecords, readSelf } from './read-records.ts';
import { isMode, parseRockRidge, type RockRidge } from './read-rock-ridge.ts';
import { recordFlags, SECTOR } from './sector.ts';
import { type ReadSector, readSystemUse } from './system-use.ts';
import { type DirectoryExtent, directoryAt, extentAt, type Volume } from './volume.ts';

/** How the directories of an image are read. */
export interface Reading {
  readonly volume: Volume;
  readonly namespace: Namespace;
  /** Bytes of each System Use field that are not Rock Ridge's. */
  readonly skip: number;
  readonly readSector: ReadSector;
}

/** What one directory holds under one name. */
export interface ListedNode extends Omit<TreeEntry, 'path'> {
  readonly name: string;
  /** Where a directory's own records lie. */
  readonly directory?: DirectoryExtent;
  /** A directory that Rock Ridge moved here, and shows elsewhere. */
  readonly relocated?: true;
}

/** Modes of what has none of its own. */
const defaults = { file: 0o644, directory: 0o755 } as const;

/**
 * What `directory` holds, by name; directories that were moved there are marked. Throws `FormatError` for a
 * damaged record, an extent out of bounds, and for a name that is refused or there twice.
 */
export async function readDirectory(reading: Reading, directory: DirectoryExtent): Promise<Map<string, ListedNode>> {
  const nodes = new Map<string, ListedNode>();
  let first: RawRecord | undefined;
  let extents: Extent[] = [];
  for await (const record of readRecords(reading.volume, directory)) {
    if (isSpecial(record, 0) || isSpecial(record, 1)) continue;
    if (first && Buffer.compare(first.identifier, record.identifier) !== 0) throw unfinished(first);
    extents.push(extentOf(reading, record));
    first ??= record;
    if ((record.flags & recordFlags.more) !== 0) {
      requireSection(record, extents.length);
      continue;
    }
    const node = await nodeOf(reading, first, extents);
    if (nodes.has(node.name)) throw badName(first.offset, `${JSON.stringify(node.name)} is there twice`);
    if (nodes.size >= limits.entries) throw tooMany(first.offset);
    nodes.set(node.name, node);
    first = undefined;
    extents = [];
  }
  if (first) throw unfinished(first);
  return nodes;
}

function unfinished(first: RawRecord): FormatError {
  return damaged(first.offset, 'its file lacks its last section');
}

function tooMany(offset: number): FormatError {
  return new FormatError('iso9660-limit', `a directory has more than ${limits.entries} entries`, { offset });
}

/** Checks a record that says that another section follows (ECMA-119 6.5.1, 9.1.6). */
function requireSection(record: RawRecord, count: number): void {
  if ((record.flags & recordFlags.directory) !== 0) throw damaged(record.offset, 'a directory cannot have sections');
  if (record.size === 0 || record.size % SECTOR !== 0) {
    throw damaged(record.offset, `its section of ${record.size} bytes does not fill its last sector`);
  }
  if (count >= limits.sections) {
    const what = `the file at byte ${record.offset} has more than ${limits.sections} sections`;
    throw new FormatError('iso9660-limit', what, { offset: record.offset });
  }
}

function extentOf({ volume }: Reading, { block, size, offset, flags }: RawRecord): Extent {
  // Where an empty file lies means nothing: writers differ. Directories have their own checks.
  return size === 0 || (flags & recordFlags.directory) !== 0
    ? { offset: 0, size: 0 }
    : extentAt(volume, block, size, `the directory record at byte ${offset}`);
}

async function nodeOf(reading: Reading, record: RawRecord, extents: readonly Extent[]): Promise<ListedNode> {
  const { volume, namespace } = reading;
  const isDirectory = (record.flags & recordFlags.directory) !== 0;
  if (namespace !== 'rock-ridge') {
    const name = identifierName(record.identifier, namespace, record.offset);
    return isDirectory ? directoryNode(volume, name, record) : fileNode(name, defaults.file, extents);
  }
  const entries = await readSystemUse(volume, reading.readSector, record, reading.skip);
  const said = parseRockRidge(entries, volume.lenient);
  const name = said.name
    ? rockRidgeName(said.name, record.offset)
    : identifierName(record.identifier, namespace, record.offset);
  if (said.child !== undefined) return movedNode(volume, name, record, said.child);
  if (isDirectory !== (said.mode === undefined ? isDirectory : isMode(said.mode, 'directory'))) {
    throw mismatch(record, 'its flags and its mode disagree on whether it is a directory');
  }
  if (isDirectory) {
    const node = directoryNode(volume, name, record, said.mode);
    return said.relocated ? { ...node, relocated: true } : node;
  }
  return rockRidgeFile(name, record, said, extents);
}

function rockRidgeFile(name: string, record: RawRecord, said: RockRidge, extents: readonly Extent[]): ListedNode {
  const mode = said.mode ?? 0o100_000 | defaults.file;
  const isLink = isMode(mode, 'symlink');
  if (isLink !== (said.target !== undefined)) throw mismatch(record, 'a symbolic link and its target belong together');
  if (said.target !== undefined) {
    return { name, type: 'symlink', size: 0, mode: mode & 0o777, extents: [], target: said.target };
  }
  if (!isMode(mode, 'file')) return { name, type: 'other', size: 0, mode: mode & 0o777, extents: [] };
  return fileNode(name, mode, extents);
}

function fileNode(name: string, mode: number, extents: readonly Extent[]): ListedNode {
  const filled = extents.filter(({ size }) => size > 0);
  const size = filled.reduce((total, extent) => total + extent.size, 0);
  return { name, type: 'file', size, mode: mode & 0o777, extents: filled };
}

function directoryNode(
  volume: Volume,
  name: string,
  { block, size }: { block: number; size: number },
  mode: number = defaults.directory,
): ListedNode {
  const directory = directoryAt(volume, block, size, `directory ${JSON.stringify(name)}`);
  return { name, type: 'dir', size: 0, mode: mode & 0o777, extents: [], directory };
}

/** A directory that was moved up in the primary tree for lack of depth (RRIP 4.1.5): its records lie at `block`. */
async function movedNode(volume: Volume, name: string, record: RawRecord, block: number): Promise<ListedNode> {
  if (block * SECTOR === 0) throw mismatch(record, 'its directory was moved to block 0');
  extentAt(volume, block, SECTOR, `the directory that the record at byte ${record.offset} stands for`);
  return directoryNode(volume, name, await readSelf(volume, block));
}

function mismatch(record: RawRecord, why: string): FormatError {
  const what = `the Rock Ridge entries of the directory record at byte ${record.offset} are contradictory: ${why}`;
  return new FormatError('iso9660-rock-ridge', what, { offset: record.offset });
}
