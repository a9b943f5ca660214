import { both32 } from './record.ts';

/** Bytes of a CE entry. */
export const CE_LENGTH = 28;

const PX_LENGTH = 36;
const TF_LENGTH = 26;

/** Bytes of a PX entry and a TF entry together. Every record has both. */
export const ATTRIBUTES_LENGTH: number = PX_LENGTH + TF_LENGTH;

/** Bytes of an NM entry before the name. */
const NM_HEAD = 5;

/** The most bytes of a name that one NM entry holds: its length is stored in one byte. */
const NM_ROOM = 250;

/** File type bits of a POSIX mode, as PX stores them. */
export const modeTypes = {
  mask: 0o170_000,
  directory: 0o040_000,
  file: 0o100_000,
  symlink: 0o120_000,
} as const;

/** A System Use entry to be written (SUSP 4). */
export interface WritableEntry {
  readonly signature: string;
  /** Bytes of the entry, signature and length included. */
  readonly length: number;
  /** Writes the entry at `at` into memory that holds zeros there. */
  readonly write: (target: Buffer, at: number) => void;
}

function writeHead(target: Buffer, at: number, signature: string, length: number): void {
  target[at] = signature.charCodeAt(0);
  target[at + 1] = signature.charCodeAt(1);
  target[at + 2] = length;
  target[at + 3] = 1;
}

/** Makes an entry that many records share. `fill` makes what follows its head. */
function sharedEntry(signature: string, length: number, fill: (bytes: Buffer) => void): WritableEntry {
  const bytes = Buffer.alloc(length);
  writeHead(bytes, 0, signature, length);
  fill(bytes);
  return { signature, length, write: (target, at) => target.set(bytes, at) };
}

/** Makes the SP entry: System Use entries are in use, from the first byte of each System Use field (SUSP 5.3). */
export function spEntry(): WritableEntry {
  return sharedEntry('SP', 7, (bytes) => bytes.set([0xbe, 0xef, 0], 4));
}

/**
 * Makes the ER entry: the entries are those of Rock Ridge. It is named as most writers do and old readers insist on
 * (SUSP 5.5, RRIP 4.3).
 */
export function erEntry(): WritableEntry {
  const texts = [
    'RRIP_1991A',
    'THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS',
    'PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  ' +
      'SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION.',
  ];
  const lengths = texts.map((text) => text.length);
  return sharedEntry('ER', 8 + texts.join('').length, (bytes) => {
    bytes.set([...lengths, 1], 4);
    bytes.write(texts.join(''), 8, 'latin1');
  });
}

/** Makes the PX entry: mode with file type, number of links, owner and group 0, no serial number (RRIP 1.09 4.1.1). */
export function pxEntry(mode: number, links: number): WritableEntry {
  return sharedEntry('PX', PX_LENGTH, (bytes) => {
    both32(bytes, 4, mode);
    both32(bytes, 12, links);
  });
}

/**
 * Makes the TF entry: one date of 7 bytes for modification, access and attributes. Linux misreads the long form (RRIP
 * 4.1.6).
 */
export function tfEntry(date: Uint8Array): WritableEntry {
  return sharedEntry('TF', TF_LENGTH, (bytes) => {
    bytes[4] = 0x0e;
    for (let at = 5; at < TF_LENGTH; at += date.length) bytes.set(date, at);
  });
}

/** Makes the NM entries: the name, in as many entries as it needs (RRIP 4.1.4). */
export function nmEntries(name: string): WritableEntry[] {
  const length = Buffer.byteLength(name);
  if (length <= NM_ROOM) return [nmEntry(length, 0, (target, at) => target.write(name, at))];
  const text = Buffer.from(name);
  return Array.from({ length: Math.ceil(length / NM_ROOM) }, (_, number) => {
    const part = text.subarray(number * NM_ROOM, (number + 1) * NM_ROOM);
    const more = (number + 1) * NM_ROOM < length ? 1 : 0;
    return nmEntry(part.length, more, (target, at) => target.set(part, at));
  });
}

function nmEntry(part: number, flags: number, writePart: WritableEntry['write']): WritableEntry {
  const length = NM_HEAD + part;
  const write: WritableEntry['write'] = (target, at) => {
    writeHead(target, at, 'NM', length);
    target[at + 4] = flags;
    writePart(target, at + NM_HEAD);
  };
  return { signature: 'NM', length, write };
}

/** Returns how many bytes the NM entries of a name take. */
export function nmLength(name: string): number {
  const length = Buffer.byteLength(name);
  return length + NM_HEAD * Math.ceil(length / NM_ROOM);
}

/**
 * Makes a CE entry: the System Use field continues at `offset` of logical block `block`, for `length` bytes (SUSP 5.1).
 */
export function ceEntry(block: number, offset: number, length: number): WritableEntry {
  return sharedEntry('CE', CE_LENGTH, (bytes) => {
    both32(bytes, 4, block);
    both32(bytes, 12, offset);
    both32(bytes, 20, length);
  });
}

/**
 * System Use entries in two groups: those that stay in a record, and those that go to the continuation area of its
 * directory.
 */
export type Division = readonly [inline: readonly WritableEntry[], rest: readonly WritableEntry[]];

/**
 * Returns how many bytes of `entries` stay in a record whose System Use field has room for `room` bytes. If not all
 * fit, that is as many whole entries, in their order, as leave room for the CE entry that points to the others.
 */
export function inlineLength(entries: readonly WritableEntry[], room: number): number {
  const length = entriesLength(entries);
  if (length <= room) return length;
  let inline = 0;
  for (const entry of entries) {
    if (inline + entry.length > room - CE_LENGTH) break;
    inline += entry.length;
  }
  return inline;
}

/** Divides entries so that `inline` bytes of them stay in the record. */
export function divideEntries(entries: readonly WritableEntry[], inline: number): Division {
  let [count, length] = [0, 0];
  while (length < inline) {
    length += entries[count]!.length;
    count += 1;
  }
  return [entries.slice(0, count), entries.slice(count)];
}

/** Returns how many bytes the entries take. */
export function entriesLength(entries: readonly WritableEntry[]): number {
  return entries.reduce((sum, { length }) => sum + length, 0);
}
