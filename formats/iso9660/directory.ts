import type { FileEntry } from '../segments.ts';
import { type DirectoryNode, SECTION_SIZE } from './nodes.ts';
import { encodeRecord, packSectors, type RecordFields, systemUseRoom } from './record.ts';
import {
  type ContinuationArea,
  erEntry,
  modeTypes,
  nmEntries,
  pxEntry,
  spEntry,
  systemUseField,
  tfEntry,
} from './rock-ridge.ts';
import { SECTOR } from './sector.ts';
import { rowsOf, type TreeKind } from './trees.ts';

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

/** A directory's bytes: its records, and the continuation area that follows them. */
export interface DirectoryBytes {
  readonly records: Uint8Array;
  readonly continuation: Uint8Array;
}

/**
 * The records of `directory` in one tree (ECMA-119 9.1, 6.8), with the continuation area that goes directly after them. The
 * lengths do not depend on where things lie, so that sizes are known before places are.
 */
export function encodeDirectory(kind: TreeKind, directory: DirectoryNode, places: Places): DirectoryBytes {
  const own = places.directory(directory);
  const area: ContinuationArea = { block: own.block + own.size / SECTOR, pieces: [], end: 0 };
  const record = (fields: Omit<RecordFields, 'date' | 'systemUse'>, entries: () => Uint8Array[]): Uint8Array => {
    const { date } = places;
    if (!kind.rockRidge) return encodeRecord({ ...fields, date });
    const systemUse = systemUseField(entries(), systemUseRoom(fields.identifier.length), area);
    return encodeRecord({ ...fields, date, systemUse });
  };
  const records = special(directory, places, record);
  for (const { node, identifier } of rowsOf(kind, directory)) {
    const name = { identifier: kind.encode(identifier, node.kind), directory: node.kind === 'directory' };
    if (node.kind === 'directory') {
      const entries = () => [...directoryEntries(node, places), ...nmEntries(node.name)];
      records.push(record({ ...name, ...places.directory(node) }, entries));
      continue;
    }
    const mode = modeTypes.file | node.entry.mode;
    const links = places.links(node.entry);
    for (const section of sectionsOf(node.entry, places.file(node.entry))) {
      const entries = () => [pxEntry(mode, links), tfEntry(places.date), ...nmEntries(node.name)];
      records.push(record({ ...name, ...section }, entries));
    }
  }
  return { records: packSectors(records), continuation: packSectors(area.pieces) };
}

type MakeRecord = (fields: Omit<RecordFields, 'date' | 'systemUse'>, entries: () => Uint8Array[]) => Uint8Array;

/** The records of the directory itself and of its parent; at the top both are the top (ECMA-119 6.8.2.2). */
function special(directory: DirectoryNode, places: Places, record: MakeRecord): Uint8Array[] {
  const parent = directory.parent ?? directory;
  const self = { ...places.directory(directory), identifier: Uint8Array.of(0), directory: true };
  const up = { ...places.directory(parent), identifier: Uint8Array.of(1), directory: true };
  const entries = directoryEntries(directory, places);
  return [
    record(self, () => (directory.parent ? entries : [spEntry(), ...entries, erEntry()])),
    record(up, () => directoryEntries(parent, places)),
  ];
}

function directoryEntries(node: DirectoryNode, places: Places): Uint8Array[] {
  return [pxEntry(modeTypes.directory | 0o755, 2 + node.subdirectories), tfEntry(places.date)];
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
