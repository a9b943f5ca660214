import type { FileEntry } from '../segments.ts';
import { type DirectoryNode, isDirectory, type Node, nameOf, SECTION_SIZE } from './nodes.ts';
import { placeAfter, type RecordFields, recordLength, systemUseRoom, systemUseStart, writeRecord } from './record.ts';
import {
  ATTRIBUTES_LENGTH,
  CE_LENGTH,
  ceEntry,
  type Division,
  divideEntries,
  type Entry,
  erEntry,
  modeTypes,
  nmEntries,
  nmLength,
  pxEntry,
  spEntry,
  tfEntry,
} from './rock-ridge.ts';
import { SECTOR, sectors } from './sector.ts';
import type { Row, TreeKind } from './trees.ts';

/** Where the extent of a directory lies. */
export interface Place {
  readonly block: number;
  /** Bytes of its records, in whole sectors. */
  readonly size: number;
}

/** Where everything lies that the records of a directory point to. */
export interface Places {
  readonly directory: (node: DirectoryNode) => Place;
  /** Logical block of a file's first byte. */
  readonly file: (entry: FileEntry) => number;
  /** How many paths name the file's content. */
  readonly links: (entry: FileEntry) => number;
  /** 7 bytes, the date of every record. */
  readonly date: Uint8Array;
}

/** Bytes of a directory, both in whole sectors. */
export interface DirectorySize {
  /** Its records. */
  readonly size: number;
  /** The continuation area that goes directly after them. */
  readonly continuation: number;
}

/** A record of a directory. What is not asked for is not made. */
export interface ListedRecord extends Omit<RecordFields, 'identifier' | 'date' | 'systemUse'> {
  /** Of what it is. */
  readonly path: string;
  readonly identifierLength: number;
  readonly identifier: () => Uint8Array;
  /** Its System Use entries. */
  readonly division: Division;
}

/** Places for who asks for lengths only. */
export const nowhere: Places = {
  directory: () => ({ block: 0, size: 0 }),
  file: () => 0,
  links: () => 0,
  date: new Uint8Array(7),
};

/** Of records without entries. */
const undivided: Division = { inline: 0, rest: 0, entries: () => [[], []] };

/** How many bytes the records of `directory` take in one tree: lengths do not depend on where things lie. */
export function measureDirectory(kind: TreeKind, directory: DirectoryNode, rows: readonly Row[]): DirectorySize {
  let [size, continuation] = [0, 0];
  eachRecord(kind, directory, rows, nowhere, ({ identifierLength, division }) => {
    const length = recordLength(identifierLength, fieldLength(division));
    size = placeAfter(size, length) + length;
    continuation = placeAfter(continuation, division.rest) + division.rest;
  });
  return { size: sectors(size) * SECTOR, continuation: sectors(continuation) * SECTOR };
}

/** The records of `directory` in one tree (ECMA-119 9.1, 6.8), `rows` among them: `size.size` bytes. */
export function encodeRecords(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly Row[],
  places: Places,
): Uint8Array {
  const own = places.directory(directory);
  const area = own.block + own.size / SECTOR;
  const bytes = Buffer.alloc(own.size);
  let [end, used] = [0, 0];
  eachRecord(kind, directory, rows, places, (record) => {
    const { block, size, directory, more, division } = record;
    const identifier = record.identifier();
    const field = fieldLength(division);
    const length = recordLength(identifier.length, field);
    const at = placeAfter(end, length);
    writeRecord(bytes, at, { identifier, block, size, directory, more, date: places.date }, field);
    end = at + length;
    if (field === 0) return;
    const rest = writeEntries(bytes, at + systemUseStart(identifier.length), division.entries()[0]);
    if (division.rest === 0) return;
    const start = placeAfter(used, division.rest);
    ceEntry(area + Math.floor(start / SECTOR), start % SECTOR, division.rest).write(bytes, rest);
    used = start + division.rest;
  });
  return bytes;
}

/** The continuation area of `directory`, `size` bytes: the entries that its records had no room for, record by record. */
export function encodeContinuation(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly Row[],
  places: Places,
  size: number,
): Uint8Array {
  const bytes = Buffer.alloc(size);
  let end = 0;
  eachRecord(kind, directory, rows, places, ({ division }) => {
    if (division.rest > 0) end = writeEntries(bytes, placeAfter(end, division.rest), division.entries()[1]);
  });
  return bytes;
}

/** Bytes of the System Use field of a record. */
export function fieldLength({ inline, rest }: Division): number {
  return inline + (rest > 0 ? CE_LENGTH : 0);
}

/** Writes entries one after the other from `at` on; returns where they end. */
function writeEntries(target: Buffer, at: number, entries: readonly Entry[]): number {
  let end = at;
  for (const entry of entries) {
    entry.write(target, end);
    end += entry.length;
  }
  return end;
}

/** Every record of `directory` in order: its own, that of its parent, then `rows`; of a file, one for each section (ECMA-119 6.5.1). */
export function eachRecord(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly Row[],
  places: Places,
  visit: (record: ListedRecord) => void,
): void {
  const tf = tfEntry(places.date);
  const filePx = pxEntries();
  const pxOf = (node: DirectoryNode): Entry => pxEntry(modeTypes.directory | 0o755, 2 + node.subdirectories);
  const special = (value: 0 | 1, node: DirectoryNode, entries: Entry[]): void => {
    const length = entries.reduce((sum, entry) => sum + entry.length, 0);
    const identifier = (): Uint8Array => Uint8Array.of(value);
    const division = kind.rockRidge ? divideEntries(length, () => entries, systemUseRoom(1)) : undivided;
    const { block, size } = places.directory(node);
    visit({ path: directory.path, block, size, directory: true, identifierLength: 1, identifier, division });
  };
  // At the top both are the top (ECMA-119 6.8.2.2), and its own record says that Rock Ridge is in use.
  const own = [pxOf(directory), tf];
  special(0, directory, directory.parent ? own : [spEntry(), ...own, erEntry()]);
  const parent = directory.parent ?? directory;
  special(1, parent, [pxOf(parent), tf]);
  const named = (node: Node, room: number): Division => {
    const name = nameOf(node);
    const px = (): Entry => (isDirectory(node) ? pxOf(node) : filePx(node.mode, places.links(node)));
    return divideEntries(ATTRIBUTES_LENGTH + nmLength(name), () => [px(), tf, ...nmEntries(name)], room);
  };
  for (const { node, identifier: name } of rows) {
    const { path } = node;
    const directory = isDirectory(node);
    const identifierLength = kind.encodedLength(name, directory);
    const identifier = (): Uint8Array => kind.encode(name, directory);
    const division = kind.rockRidge ? named(node, systemUseRoom(identifierLength)) : undivided;
    if (isDirectory(node)) {
      const { block, size } = places.directory(node);
      visit({ path, block, size, directory, identifierLength, identifier, division });
      continue;
    }
    // Each section repeats the entries of the file: readers take them from any of the records.
    let block = places.file(node);
    let left = node.size;
    do {
      const more = left > 2 ** 32 - 1;
      const size = more ? SECTION_SIZE : left;
      visit({ path, block, size, directory, more, identifierLength, identifier, division });
      left -= size;
      block += SECTION_SIZE / SECTOR;
    } while (left > 0);
  }
}

/** Makes the PX entries of files, and the same one again as long as mode and links stay: they do for most. */
function pxEntries(): (mode: number, links: number) => Entry {
  let last: { mode: number; links: number; entry: Entry } | undefined;
  return (mode, links) => {
    if (last?.mode !== mode || last.links !== links) {
      last = { mode, links, entry: pxEntry(modeTypes.file | mode, links) };
    }
    return last.entry;
  };
}
