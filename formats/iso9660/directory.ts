import type { FileEntry } from '../segments.ts';
import { type DirectoryNode, isDirectory, type Node, nodeName, SECTION_SIZE } from './nodes.ts';
import { placeAfter, type RecordFields, recordLength, systemUseRoom, systemUseStart, writeRecord } from './record.ts';
import {
  ATTRIBUTES_LENGTH,
  CE_LENGTH,
  ceEntry,
  type Division,
  divideEntries,
  entriesLength,
  erEntry,
  inlineLength,
  modeTypes,
  nmEntries,
  nmLength,
  pxEntry,
  spEntry,
  tfEntry,
  type WritableEntry,
} from './rock-ridge.ts';
import { SECTOR, sectors } from './sector.ts';
import type { DirectoryRow, TreeKind } from './tree-kinds.ts';

/** Where the extent of a directory lies. */
export interface DirectoryPlace {
  readonly block: number;
  /** Bytes of its records, in whole sectors. */
  readonly size: number;
}

/** Where the things lie that the records of a directory point to. */
export interface TargetPlaces {
  readonly directory: (node: DirectoryNode) => DirectoryPlace;
  /** Logical block of a file's first byte. */
  readonly file: (entry: FileEntry) => number;
  /** How many paths name the file's content. */
  readonly links: (entry: FileEntry) => number;
  /** The date of every record, 7 bytes. */
  readonly date: Uint8Array;
}

/** The two sizes of a directory, in bytes, both in whole sectors. */
export interface DirectorySize {
  /** Size of its records. */
  readonly size: number;
  /** Size of the continuation area, which lies directly after the records. */
  readonly continuation: number;
}

/** One record of a directory. It is valid until the next one is visited. What nobody asks for is never made. */
export interface ListedRecord extends Omit<RecordFields, 'identifier' | 'date' | 'systemUse'> {
  /** The path of the file or directory that the record is about. */
  readonly path: string;
  readonly identifierLength: number;
  /**
   * Bytes of its System Use entries: `inline` of those in the record itself, `rest` of those that it has no room for. A
   * CE entry points to the latter.
   */
  readonly inline: number;
  readonly rest: number;
  identifier(): Uint8Array;
  entries(): Division;
}

/** Stands in for the places of things when only lengths matter. */
export const nowhere: TargetPlaces = {
  directory: () => ({ block: 0, size: 0 }),
  file: () => 0,
  links: () => 0,
  date: new Uint8Array(7),
};

/** Returns how many bytes the records of `directory` take in one tree. Lengths do not depend on where things lie. */
export function measureDirectory(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
): DirectorySize {
  let [size, continuation] = [0, 0];
  eachRecord(kind, directory, rows, nowhere, (record) => {
    const length = recordLength(record.identifierLength, fieldLength(record));
    size = placeAfter(size, length) + length;
    continuation = placeAfter(continuation, record.rest) + record.rest;
  });
  return { size: sectors(size) * SECTOR, continuation: sectors(continuation) * SECTOR };
}

/** Encodes the records of `directory` in one tree, `rows` among them, in `size.size` bytes (ECMA-119 9.1, 6.8). */
export function encodeRecords(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
  places: TargetPlaces,
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

/**
 * Encodes the continuation area of `directory` in `size` bytes: the entries that its records had no room for, record by
 * record.
 */
export function encodeContinuation(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
  places: TargetPlaces,
  size: number,
): Uint8Array {
  const bytes = Buffer.alloc(size);
  let end = 0;
  eachRecord(kind, directory, rows, places, (record) => {
    if (record.rest > 0) end = writeEntries(bytes, placeAfter(end, record.rest), record.entries()[1]);
  });
  return bytes;
}

/** Returns how many bytes the System Use field of a record has. */
export function fieldLength({ inline, rest }: Pick<ListedRecord, 'inline' | 'rest'>): number {
  return inline + (rest > 0 ? CE_LENGTH : 0);
}

/** Writes entries one after the other from `at` on, and returns where they end. */
function writeEntries(target: Buffer, at: number, entries: readonly WritableEntry[]): number {
  let end = at;
  for (const entry of entries) {
    entry.write(target, end);
    end += entry.length;
  }
  return end;
}

/**
 * Visits every record of `directory` in order: its own, that of its parent, then those of `rows`. A large file has one
 * for each of its sections (ECMA-119 6.5.1).
 */
export function eachRecord(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
  places: TargetPlaces,
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

/** The record that is being visited. One object serves for all records of a directory: there may be a million. */
class Cursor implements ListedRecord {
  path = '';
  block = 0;
  size = 0;
  directory = false;
  more = false;
  identifierLength = 0;
  inline = 0;
  rest = 0;
  /** Bytes of the file from the current section on. */
  #left = 0;
  #node: Node | undefined;
  #name = '';
  /** The System Use entries of a special record (`.` or `..`). */
  #own: readonly WritableEntry[] = [];
  readonly #kind: TreeKind;
  readonly #places: TargetPlaces;
  readonly #tf: WritableEntry;
  /** The PX entry of the last file. The next file shares it if it has the same mode and as many links. */
  #px: { readonly mode: number; readonly links: number; readonly entry: WritableEntry } | undefined;

  constructor(kind: TreeKind, places: TargetPlaces) {
    this.#kind = kind;
    this.#places = places;
    this.#tf = tfEntry(places.date);
  }

  /**
   * Goes to the record of `directory` itself (`value` 0) or of its parent (`value` 1). The top is its own parent
   * (ECMA-119 6.8.2.2).
   */
  special(value: 0 | 1, directory: DirectoryNode): void {
    const node = value === 0 ? directory : (directory.parent ?? directory);
    const common = [pxOf(node), this.#tf];
    // The very first record says that Rock Ridge is in use.
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

  /** Goes to the record of a row. For a file with sections, that is the record of the first one. */
  begin({ node, identifier }: DirectoryRow): void {
    this.#node = node;
    this.#name = identifier;
    this.path = node.path;
    this.directory = isDirectory(node);
    this.identifierLength = this.#kind.encodedLength(identifier, this.directory);
    if (isDirectory(node)) this.#at(this.#places.directory(node));
    else this.#section(this.#places.file(node), node.size);
    this.#divide(this.#kind.rockRidge ? ATTRIBUTES_LENGTH + nmLength(nodeName(node)) : 0);
  }

  /**
   * Goes to the next section of a file; returns false if there is none. Each section repeats the entries of the file,
   * since readers take them from any.
   */
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

  #at({ block, size }: DirectoryPlace): void {
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

  /**
   * Splits `length` bytes of entries into `inline` and `rest`. The entries themselves are made only if they do not all
   * fit.
   */
  #divide(length: number): void {
    const room = systemUseRoom(this.identifierLength);
    this.inline = length <= room ? length : inlineLength(this.#all(), room);
    this.rest = length - this.inline;
  }

  #all(): readonly WritableEntry[] {
    if (!this.#kind.rockRidge) return [];
    const node = this.#node;
    if (node === undefined) return this.#own;
    return [isDirectory(node) ? pxOf(node) : this.#pxOfFile(node), this.#tf, ...nmEntries(nodeName(node))];
  }

  #pxOfFile(file: FileEntry): WritableEntry {
    const { mode } = file;
    const links = this.#places.links(file);
    if (this.#px?.mode !== mode || this.#px.links !== links) {
      this.#px = { mode, links, entry: pxEntry(modeTypes.file | mode, links) };
    }
    return this.#px.entry;
  }
}

function pxOf(node: DirectoryNode): WritableEntry {
  return pxEntry(modeTypes.directory | 0o755, 2 + node.subdirectories);
}
