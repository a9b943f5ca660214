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
  entriesLength,
  erEntry,
  inlineLength,
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

/** A record of a directory, until the next one is visited. What is not asked for is not made. */
export interface ListedRecord extends Omit<RecordFields, 'identifier' | 'date' | 'systemUse'> {
  /** Of what it is. */
  readonly path: string;
  readonly identifierLength: number;
  /** Bytes of its System Use entries that it holds, and of those that it has no room for, to which a CE entry points. */
  readonly inline: number;
  readonly rest: number;
  identifier(): Uint8Array;
  entries(): Division;
}

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
  eachRecord(kind, directory, rows, nowhere, (record) => {
    const length = recordLength(record.identifierLength, fieldLength(record));
    size = placeAfter(size, length) + length;
    continuation = placeAfter(continuation, record.rest) + record.rest;
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
    const { block, size, directory, more } = record;
    const identifier = record.identifier();
    const field = fieldLength(record);
    const length = recordLength(identifier.length, field);
    const at = placeAfter(end, length);
    writeRecord(bytes, at, { identifier, block, size, directory, more, date: places.date }, field);
    end = at + length;
    if (field === 0) return;
    const rest = writeEntries(bytes, at + systemUseStart(identifier.length), record.entries()[0]);
    if (record.rest === 0) return;
    const start = placeAfter(used, record.rest);
    ceEntry(area + Math.floor(start / SECTOR), start % SECTOR, record.rest).write(bytes, rest);
    used = start + record.rest;
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
  eachRecord(kind, directory, rows, places, (record) => {
    if (record.rest > 0) end = writeEntries(bytes, placeAfter(end, record.rest), record.entries()[1]);
  });
  return bytes;
}

/** Bytes of the System Use field of a record. */
export function fieldLength({ inline, rest }: Pick<ListedRecord, 'inline' | 'rest'>): number {
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
  const record = new Cursor(kind, places);
  for (const value of [0, 1] as const) {
    record.special(value, directory);
    visit(record);
  }
  for (const row of rows) {
    record.begin(row);
    do visit(record);
    while (record.nextSection());
  }
}

/** One object for all records of a directory: there may be a million. */
class Cursor implements ListedRecord {
  path = '';
  block = 0;
  size = 0;
  directory = false;
  more = false;
  identifierLength = 0;
  inline = 0;
  rest = 0;
  /** Bytes from the section on that it is of. */
  #left = 0;
  #node: Node | undefined;
  #name = '';
  /** What a special record has. */
  #own: readonly Entry[] = [];
  readonly #kind: TreeKind;
  readonly #places: Places;
  readonly #tf: Entry;
  /** The PX entry of the last file: that of the next one, as long as mode and links stay. */
  #px: { readonly mode: number; readonly links: number; readonly entry: Entry } | undefined;

  constructor(kind: TreeKind, places: Places) {
    this.#kind = kind;
    this.#places = places;
    this.#tf = tfEntry(places.date);
  }

  /** Goes to the record of `directory` itself (`value` 0) or to that of its parent (1). At the top both are the top (ECMA-119 6.8.2.2). */
  special(value: 0 | 1, directory: DirectoryNode): void {
    const node = value === 0 ? directory : (directory.parent ?? directory);
    const common = [pxOf(node), this.#tf];
    // The first record of all says that Rock Ridge is in use.
    const isFirst = value === 0 && directory.parent === undefined;
    this.#node = undefined;
    this.#name = String.fromCharCode(value);
    this.#own = isFirst ? [spEntry(), ...common, erEntry()] : common;
    this.path = directory.path;
    this.directory = true;
    this.identifierLength = 1;
    this.#at(this.#places.directory(node));
    this.#divide(entriesLength(this.#all()));
  }

  /** Goes to the record of a row, or to the first of its sections. */
  begin({ node, identifier }: Row): void {
    this.#node = node;
    this.#name = identifier;
    this.path = node.path;
    this.directory = isDirectory(node);
    this.identifierLength = this.#kind.encodedLength(identifier, this.directory);
    if (isDirectory(node)) this.#at(this.#places.directory(node));
    else this.#section(this.#places.file(node), node.size);
    this.#divide(this.#kind.rockRidge ? ATTRIBUTES_LENGTH + nmLength(nameOf(node)) : 0);
  }

  /** Goes to the next section of a file, if it has one. Each repeats the entries of the file: readers take them from any. */
  nextSection(): boolean {
    if (!this.more) return false;
    this.#section(this.block + SECTION_SIZE / SECTOR, this.#left - SECTION_SIZE);
    return true;
  }

  identifier(): Uint8Array {
    if (this.#node === undefined) return Buffer.from(this.#name, 'latin1');
    return this.#kind.encode(this.#name, this.directory);
  }

  entries(): Division {
    const entries = this.#all();
    return this.rest === 0 ? [entries, []] : divideEntries(entries, this.inline);
  }

  #at({ block, size }: Place): void {
    this.block = block;
    this.size = size;
    this.more = false;
  }

  #section(block: number, left: number): void {
    this.#left = left;
    this.block = block;
    this.more = left > 2 ** 32 - 1;
    this.size = this.more ? SECTION_SIZE : left;
  }

  /** Divides entries of `length` bytes, which are made only where they do not all have room. */
  #divide(length: number): void {
    const room = systemUseRoom(this.identifierLength);
    this.inline = length <= room ? length : inlineLength(this.#all(), room);
    this.rest = length - this.inline;
  }

  #all(): readonly Entry[] {
    if (!this.#kind.rockRidge) return [];
    const node = this.#node;
    if (node === undefined) return this.#own;
    return [isDirectory(node) ? pxOf(node) : this.#pxOfFile(node), this.#tf, ...nmEntries(nameOf(node))];
  }

  #pxOfFile(file: FileEntry): Entry {
    const { mode } = file;
    const links = this.#places.links(file);
    if (this.#px?.mode !== mode || this.#px.links !== links) {
      this.#px = { mode, links, entry: pxEntry(modeTypes.file | mode, links) };
    }
    return this.#px.entry;
  }
}

function pxOf(node: DirectoryNode): Entry {
  return pxEntry(modeTypes.directory | 0o755, 2 + node.subdirectories);
}
