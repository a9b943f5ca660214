import { both32 } from './record.ts';

/** Bytes of a CE entry. */
export const CE_LENGTH = 28;

/** Bytes of a PX entry and of a TF entry, as every record has them. */
export const ATTRIBUTES_LENGTH: number = 36 + 26;

/** Bytes of a name that one NM entry holds: its length is one byte. */
const NM_ROOM = 250;

/** File type bits of a POSIX mode, as PX stores them. */
export const modeTypes = {
  mask: 0o170_000,
  directory: 0o040_000,
  file: 0o100_000,
  symlink: 0o120_000,
} as const;

function entry(signature: string, payload: number): Buffer {
  // One of many small pieces of memory, which are cheaper than one of its own.
  const bytes = Buffer.allocUnsafe(4 + payload).fill(0);
  bytes.write(signature, 'latin1');
  bytes[2] = bytes.length;
  bytes[3] = 1;
  return bytes;
}

/** SP: System Use entries are in use, from the first byte of each System Use field (SUSP 5.3). */
export function spEntry(): Uint8Array {
  const bytes = entry('SP', 3);
  bytes.set([0xbe, 0xef, 0], 4);
  return bytes;
}

/** ER: the entries are those of Rock Ridge, named as most writers do and old readers insist on (SUSP 5.5, RRIP 4.3). */
export function erEntry(): Uint8Array {
  const texts = [
    'RRIP_1991A',
    'THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS',
    'PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  ' +
      'SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION.',
  ];
  const bytes = entry('ER', 4 + texts.join('').length);
  bytes.set(
    texts.map((text) => text.length),
    4,
  );
  bytes[7] = 1;
  bytes.write(texts.join(''), 8, 'latin1');
  return bytes;
}

/** PX: mode with file type, number of links, owner and group 0, no serial number (RRIP 1.09 4.1.1). */
export function pxEntry(mode: number, links: number): Uint8Array {
  const bytes = entry('PX', 32);
  both32(bytes, 4, mode);
  both32(bytes, 12, links);
  both32(bytes, 20, 0);
  both32(bytes, 28, 0);
  return bytes;
}

/** TF: one date, 7 bytes, for modification, access and attributes; the long form is misread by Linux (RRIP 4.1.6). */
export function tfEntry(date: Uint8Array): Uint8Array {
  const bytes = entry('TF', 1 + 3 * date.length);
  bytes[4] = 0x0e;
  for (let at = 0; at < 3; at += 1) bytes.set(date, 5 + at * date.length);
  return bytes;
}

/** NM: the name, in as many entries as it needs (RRIP 4.1.4). */
export function nmEntries(name: string): Uint8Array[] {
  const text = Buffer.from(name);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < text.length; at += NM_ROOM) {
    const part = text.subarray(at, at + NM_ROOM);
    const bytes = entry('NM', 1 + part.length);
    bytes[4] = at + NM_ROOM < text.length ? 1 : 0;
    bytes.set(part, 5);
    entries.push(bytes);
  }
  return entries;
}

/** Bytes of all these. */
export function nmLength(name: string): number {
  const length = Buffer.byteLength(name);
  return length + 5 * Math.ceil(length / NM_ROOM);
}

/** CE: `length` bytes at `offset` of logical block `block` go on with the System Use field (SUSP 5.1). */
export function ceEntry(block: number, offset: number, length: number): Uint8Array {
  const bytes = entry('CE', CE_LENGTH - 4);
  both32(bytes, 4, block);
  both32(bytes, 12, offset);
  both32(bytes, 20, length);
  return bytes;
}

/** How the entries of a record are divided between the record and the continuation area of its directory. */
export interface Division {
  /** Bytes of those that stay in the record. */
  readonly inline: number;
  /** Bytes of the others; where there are any, a CE entry points to them. */
  readonly rest: number;
  /** Those that stay, and the others. */
  readonly entries: () => readonly [inline: readonly Uint8Array[], rest: readonly Uint8Array[]];
}

/**
 * Divides `entries`, `length` bytes together, for a record that has `room` bytes for its System Use field. They are made when
 * they are asked for, unless they have to be divided.
 */
export function divideEntries(length: number, entries: () => readonly Uint8Array[], room: number): Division {
  if (length <= room) return { inline: length, rest: 0, entries: () => [entries(), []] };
  const all = entries();
  let [count, inline] = [0, 0];
  while (inline + all[count]!.length <= room - CE_LENGTH) {
    inline += all[count]!.length;
    count += 1;
  }
  return { inline, rest: length - inline, entries: () => [all.slice(0, count), all.slice(count)] };
}
