import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';
import type { Extent } from '../tree.ts';
import { limits } from './limits.ts';
import { DirectoryListing, type NewNode } from './listing.ts';
import { badName, identifierName, type Namespace, rockRidgeName } from './read-names.ts';
import { damagedRecord, isSpecial, type RawRecord, readRecords, readSelf } from './read-records.ts';
import { isMode, parseRockRidge, type RockRidge } from './read-rock-ridge.ts';
import { recordFlags, SECTOR } from './sector.ts';
import { type ReadSector, readSystemUse } from './system-use.ts';
import { type DirectoryExtent, directoryAt, extentAt, type Volume } from './volume.ts';

/** What reading a directory needs to know of its image. */
export interface TreeReading {
  readonly volume: Volume;
  readonly namespace: Namespace;
  /** Bytes at the start of each System Use field that do not belong to Rock Ridge. */
  readonly skip: number;
  readonly readSector: ReadSector;
}

/** A directory after it was read. */
export interface ReadDirectory {
  readonly listing: DirectoryListing;
  /** How many directories Rock Ridge moved here. They are shown elsewhere, and left out here. */
  readonly moved: number;
}

/** Permission bits of what states none. */
const defaults = { file: 0o644, directory: 0o755 } as const;

/** What a record stands for; `moved` if its directory is shown elsewhere. */
type Said = NewNode | 'moved';

/**
 * Reads what `directory` holds. What has fewer than `atLeast` bytes in one section, and is not a directory, is not
 * looked into. A directory that Rock Ridge moved here is left out. Throws `FormatError` for a damaged record, for an
 * extent out of bounds, and for a name that is refused or there twice.
 */
export async function readDirectory(
  reading: TreeReading,
  directory: DirectoryExtent,
  atLeast: number = 0,
): Promise<ReadDirectory> {
  const listing = new DirectoryListing();
  let moved = 0;
  let first: RawRecord | undefined;
  let extents: Extent[] = [];
  for await (const records of readRecords(reading.volume, directory)) {
    for (const record of records) {
      if (isSpecial(record, 0) || isSpecial(record, 1)) continue;
      // Resource forks and the like have the name of the file that they go with. They are left out, as Linux does.
      if ((record.flags & recordFlags.associated) !== 0) continue;
      if (first === undefined && isSmaller(record, atLeast)) continue;
      if (first && Buffer.compare(first.identifier, record.identifier) !== 0) throw unfinished(first);
      const extent = extentOf(reading, record);
      if (extent) extents.push(extent);
      first ??= record;
      if ((record.flags & recordFlags.more) !== 0) {
        requireSection(record, extents.length);
        continue;
      }
      const said = nodeOf(reading, first, extents);
      // An await where there is nothing to wait for would make large directories slow.
      const node = said instanceof Promise ? await said : said;
      if (node === 'moved') moved += 1;
      else listing.add(node);
      requireRoom(listing, moved, first.offset);
      first = undefined;
      extents = [];
    }
  }
  if (first) throw unfinished(first);
  const twice = listing.finish();
  if (twice !== undefined) throw badName(directory.block * SECTOR, `${JSON.stringify(twice)} is there twice`);
  return { listing, moved };
}

/** Returns whether a record is all there is of something that has fewer than `size` bytes and is not a directory. */
function isSmaller(record: RawRecord, size: number): boolean {
  return record.size < size && (record.flags & (recordFlags.directory | recordFlags.more)) === 0;
}

function unfinished(first: RawRecord): FormatError {
  return damagedRecord(first.offset, 'its file lacks its last section');
}

function requireRoom(listing: DirectoryListing, moved: number, offset: number): void {
  const exceeded = (what: string): FormatError =>
    new FormatError('iso9660-limit', `a directory has more than ${what}`, { offset });
  if (listing.added + moved > limits.entries) throw exceeded(`${limits.entries} entries`);
  if (listing.texts > limits.texts) throw exceeded(`${sizeWords(limits.texts)} of names`);
}

/** Checks a record that announces another section of its file (ECMA-119 6.5.1, 9.1.6). */
function requireSection(record: RawRecord, count: number): void {
  if ((record.flags & recordFlags.directory) !== 0)
    throw damagedRecord(record.offset, 'a directory cannot have sections');
  if (record.size === 0 || record.size % SECTOR !== 0) {
    throw damagedRecord(record.offset, `its section of ${record.size} bytes does not fill its last sector`);
  }
  if (count >= limits.sections) {
    const what = `the file at byte ${record.offset} has more than ${limits.sections} sections`;
    throw new FormatError('iso9660-limit', what, { offset: record.offset });
  }
}

/**
 * Returns the bytes of a file's section. There are none for a directory, or for an empty file, whose block means
 * nothing.
 */
function extentOf({ volume }: TreeReading, { block, size, offset, flags }: RawRecord): Extent | undefined {
  if (size === 0 || (flags & recordFlags.directory) !== 0) return undefined;
  return extentAt(volume, block, size, () => `the directory record at byte ${offset}`);
}

function nodeOf(reading: TreeReading, record: RawRecord, extents: readonly Extent[]): Said | Promise<Said> {
  if (reading.namespace === 'rock-ridge') {
    const entries = readSystemUse(reading.volume, reading.readSector, record, reading.skip);
    const saidBy = (found: Awaited<typeof entries>): Said | Promise<Said> =>
      rockRidgeNode(reading, record, extents, parseRockRidge(found, reading.volume.lenient));
    return entries instanceof Promise ? entries.then(saidBy) : saidBy(entries);
  }
  const name = identifierName(record.identifier, reading.namespace, record.offset);
  if ((record.flags & recordFlags.directory) !== 0) return directoryNode(reading.volume, name, record);
  return { type: 'file', name, mode: defaults.file, extents };
}

function rockRidgeNode(
  { volume, namespace }: TreeReading,
  record: RawRecord,
  extents: readonly Extent[],
  said: RockRidge,
): Said | Promise<Said> {
  const isDirectory = (record.flags & recordFlags.directory) !== 0;
  const name = said.name
    ? rockRidgeName(said.name, record.offset)
    : identifierName(record.identifier, namespace, record.offset);
  if (said.child !== undefined) return movedNode(volume, name, record, said.child);
  if (isDirectory !== (said.mode === undefined ? isDirectory : isMode(said.mode, 'directory'))) {
    throw mismatch(record, 'its flags and its mode disagree about whether it is a directory');
  }
  if (!isDirectory) return rockRidgeFile(name, record, said, extents);
  const node = directoryNode(volume, name, record, said.mode);
  return said.relocated ? 'moved' : node;
}

function rockRidgeFile(name: Uint8Array, record: RawRecord, said: RockRidge, extents: readonly Extent[]): NewNode {
  const mode = said.mode ?? 0o100_000 | defaults.file;
  const isLink = isMode(mode, 'symlink');
  if (isLink !== (said.target !== undefined))
    throw mismatch(record, 'a symbolic link has to have a target, and nothing else may');
  if (said.target !== undefined) return { type: 'symlink', name, mode, target: said.target };
  return isMode(mode, 'file') ? { type: 'file', name, mode, extents } : { type: 'other', name, mode };
}

function directoryNode(
  volume: Volume,
  name: Uint8Array,
  { block, size }: { block: number; size: number },
  mode: number = defaults.directory,
): NewNode {
  const directory = directoryAt(volume, block, size, () => `directory ${JSON.stringify(Buffer.from(name).toString())}`);
  return { type: 'dir', name, mode, directory };
}

/**
 * Makes the node of a directory that was moved up in the primary tree for lack of depth (RRIP 4.1.5). Its records lie
 * at `block`.
 */
async function movedNode(volume: Volume, name: Uint8Array, record: RawRecord, block: number): Promise<NewNode> {
  if (block === 0) throw mismatch(record, 'its directory was moved to block 0');
  extentAt(volume, block, SECTOR, () => `the directory that the record at byte ${record.offset} stands for`);
  return directoryNode(volume, name, await readSelf(volume, block));
}

function mismatch(record: RawRecord, why: string): FormatError {
  const what = `the Rock Ridge entries of the directory record at byte ${record.offset} are contradictory: ${why}`;
  return new FormatError('iso9660-rock-ridge', what, { offset: record.offset });
}
