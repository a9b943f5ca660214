import { FormatError } from '../error.ts';

/** Everything in a tar archive starts at a multiple of this, in bytes. */
export const BLOCK = 512;

/** The largest number that eleven octal digits hold: sizes above it need pax or base-256. */
export const OCTAL_LIMIT: number = 0o77777777777;

/** The longest name that is read or written, in bytes. */
export const NAME_LIMIT = 4096;

// The byte order mark is kept: a name with one is another name.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fields of a header block that say what an entry is; owners and times are not read. */
export interface Block {
  /** With the ustar prefix; not decoded, because writers cut it anywhere where pax or GNU headers have the whole. */
  readonly name: Uint8Array;
  /** What a link points to; likewise not decoded. */
  readonly link: Uint8Array;
  /** In bytes; what the field says, before any pax record. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** The type flag; '0' for the NUL of archives before POSIX. */
  readonly type: string;
}

/**
 * Decodes the header block at `offset` of an archive; undefined for a block of zeros. Nothing is guessed at, because
 * two readers that guess differently at a damaged header see different files. Throws `FormatError` `tar-header`.
 * Follows POSIX.1-2017 pax "ustar Interchange Format", and star and GNU tar for base-256 numbers.
 */
export function decodeBlock(block: Uint8Array, offset: number): Block | undefined {
  if (isZero(block)) return undefined;
  if (!hasChecksum(block)) throw bad('has a wrong checksum', offset);
  const posix = latin1(block, 257, 6) === 'ustar\0';
  // GNU and star keep times where POSIX has the end of the prefix.
  const prefix = field(block, 345, !posix ? 0 : latin1(block, 508, 4) === 'tar\0' ? 131 : 155);
  const name = field(block, 0, 100);
  const type = latin1(block, 156, 1);
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]),
    link: field(block, 157, 100),
    size: number(block, 124, 12, offset),
    mode: number(block, 100, 8, offset) & 0o7777,
    type: type === '\0' ? '0' : type,
  };
}

/** Whether all bytes are zero. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Whether the checksum of a header block is the sum of its bytes, its own field counted as spaces. */
export function hasChecksum(block: Uint8Array): boolean {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += block[at]!;
  const digits = /^ *([0-7]+)[ \0]*$/.exec(latin1(block, 148, 8))?.[1];
  return digits !== undefined && Number.parseInt(digits, 8) === sum;
}

/** Text that has to be UTF-8, so that a name means the same everywhere; throws `tar-header`. */
export function strictText(bytes: Uint8Array, offset: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new FormatError('tar-header', `the header at ${offset} holds a name that is not UTF-8`, { offset, cause });
  }
}

/** A name fit for a message: quoted, and not longer than a line. */
export function show(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** A damaged header, in words. */
export function bad(why: string, offset: number): FormatError {
  return new FormatError('tar-header', `the header at ${offset} ${why}`, { offset });
}

function latin1(block: Uint8Array, at: number, length: number): string {
  return Buffer.from(block.buffer, block.byteOffset + at, length).toString('latin1');
}

function field(block: Uint8Array, at: number, length: number): Uint8Array {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function number(block: Uint8Array, at: number, length: number, offset: number): number {
  const first = block[at]!;
  if (first < 0x80) {
    const match = /^ *(?:([0-7]+)[ \0]*|\0[ \0]*)?$/.exec(latin1(block, at, length));
    if (!match) throw bad('holds a number that is not octal', offset);
    return match[1] === undefined ? 0 : Number.parseInt(match[1], 8);
  }
  if (first !== 0x80) throw bad('holds a number that is negative or out of range', offset);
  let value = 0;
  for (const byte of block.subarray(at + 1, at + length)) value = value * 256 + byte;
  if (!Number.isSafeInteger(value)) throw bad('holds a number that is out of range', offset);
  return value;
}
