import type { FileEntry } from '../segments.ts';
import { type DirectoryNode, isDirectory, nameOf, SECTION_SIZE } from './nodes.ts';
import { placeAfter, type RecordFields, recordLength, systemUseRoom, systemUseStart, writeRecord } from './record.ts';
import {
  CE_LENGTH,
  ceEntry,
  type Division,
  divideEntries,
  erEntry,
  modeTypes,
  nmEntries,
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

type Record = Omit<RecordFields, 'date' | 'systemUse'>;

/** Takes a record of a directory, its System Use entries, where those that stay in it end, and what the record is of. */
type Visit = (record: Record, entries: readonly Uint8Array[], division: Division, path: string) => void;

/** Places for who asks for lengths only. */
export const nowhere: Places = {
  directory: () => ({ block: 0, size: 0 }),
  file: () => 0,
  links: () => 0,
  date: new Uint8Array(7),
};

/** How many bytes the records of `directory` take in one tree: lengths do not depend on where things lie. */
export function measureDirectory(kind: TreeKind, directory: DirectoryNode, rows: readonly Row[]): DirectorySize {
  let [size, continuation] = [0, 0];
  eachRecord(kind, directory, rows, nowhere, ({ identifier }, _, division) => {
    const length = recordLength(identifier.length, fieldLength(division));
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
  eachRecord(kind, directory, rows, places, (record, entries, division) => {
    const field = fieldLength(division);
    const length = recordLength(record.identifier.length, field);
    const at = placeAfter(end, length);
    writeRecord(bytes, at, { ...record, date: places.date }, field);
    end = at + length;
    const rest = writeEntries(bytes, at + systemUseStart(record.identifier.length), entries.slice(0, division.count));
    if (division.rest === 0) return;
    const start = placeAfter(used, division.rest);
    bytes.set(ceEntry(area + Math.floor(start / SECTOR), start % SECTOR, division.rest), rest);
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
  eachRecord(kind, directory, rows, places, (_, entries, { count, rest }) => {
    if (rest > 0) end = writeEntries(bytes, placeAfter(end, rest), entries.slice(count));
  });
  return bytes;
}

/** Bytes of the System Use field of a record. */
export function fieldLength({ inline, rest }: Division): number {
  return inline + (rest > 0 ? CE_LENGTH : 0);
}

/** Writes entries one after the other from `at` on; returns where they end. */
function writeEntries(target: Buffer, at: number, entries: readonly Uint8Array[]): number {
  let end = at;
  for (const entry of entries) {
    target.set(entry, end);
    end += entry.length;
  }
  return end;
}

/** Every record of `directory` in order: its own, that of its parent, then `rows`. */
export function eachRecord(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly Row[],
  places: Places,
  visit: Visit,
): void {
  const tf = tfEntry(places.date);
  const directoryEntries = (node: DirectoryNode) => [pxEntry(modeTypes.directory | 0o755, 2 + node.subdirectories), tf];
  const add = (path: string, records: readonly Record[], entries: () => Uint8Array[]): void => {
    const held = kind.rockRidge ? entries() : [];
    const division = divideEntries(held, systemUseRoom(records[0]!.identifier.length));
    for (const record of records) visit(record, held, division, path);
  };
  const parent = directory.parent ?? directory;
  const self = { ...places.directory(directory), identifier: Uint8Array.of(0), directory: true };
  const up = { ...places.directory(parent), identifier: Uint8Array.of(1), directory: true };
  // At the top both are the top (ECMA-119 6.8.2.2), and its own record says that Rock Ridge is in use.
  const own = directoryEntries(directory);
  add(directory.path, [self], () => (directory.parent ? own : [spEntry(), ...own, erEntry()]));
  add(directory.path, [up], () => directoryEntries(parent));
  const px = pxEntries();
  for (const { node, identifier } of rows) {
    const name = { identifier: kind.encode(identifier, isDirectory(node)), directory: isDirectory(node) };
    if (isDirectory(node)) {
      const record = { ...places.directory(node), ...name };
      add(node.path, [record], () => [...directoryEntries(node), ...nmEntries(nameOf(node))]);
    } else {
      // Each section repeats the entries of the file: readers take them from any of the records.
      const records = sectionsOf(node, places.file(node)).map((section) => ({ ...section, ...name }));
      add(node.path, records, () => [
        px(modeTypes.file | node.mode, places.links(node)),
        tf,
        ...nmEntries(nameOf(node)),
      ]);
    }
  }
}

/** Makes PX entries, and the same one again as long as mode and links stay: they do for most files. */
function pxEntries(): (mode: number, links: number) => Uint8Array {
  let last: { mode: number; links: number; bytes: Uint8Array } | undefined;
  return (mode, links) => {
    if (last?.mode !== mode || last.links !== links) last = { mode, links, bytes: pxEntry(mode, links) };
    return last.bytes;
  };
}

/** The sections of a file, contiguous (ECMA-119 6.5.1); one, of no bytes, for an empty file. */
function sectionsOf(entry: FileEntry, start: number): { block: number; size: number; more: boolean }[] {
  const sections: { block: number; size: number; more: boolean }[] = [];
  let left = entry.size;
  let block = start;
  do {
    const more = left > 2 ** 32 - 1;
    const size = more ? SECTION_SIZE : left;
    sections.push({ block, size, more });
    left -= size;
    block += SECTION_SIZE / SECTOR;
  } while (left > 0);
  return sections;
}
