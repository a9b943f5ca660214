import { BLOCK, OCTAL_LIMIT } from './block.ts';

/** A file, or a symbolic link, as a tar archive reports it. */
export interface HeaderFields {
  /** Of plain names, with a slash between two. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  /** In bytes. */
  readonly size: number;
  /** Seconds since 1970, up to `OCTAL_LIMIT`. */
  readonly modified: number;
  /** What it points to, if it is a symbolic link: then it has no bytes. */
  readonly link?: string;
}

/** Bytes of a path that a header holds: its last names, and its first ones in a field of their own. */
const NAME = 100;
const PREFIX = 155;

/**
 * Encodes what is ahead of a file's bytes: a ustar header, and before that a pax header called `paxName` where the path
 * is not ASCII or does not fit, or where the size exceeds 8 GiB. Owners are 0 and have no names. Follows POSIX.1-2017
 * pax, "ustar Interchange Format" and "pax Header Block"; sizes over 8 GiB are also in base 256, as GNU tar and star
 * have them.
 */
export function encodeHeader(file: HeaderFields, paxName: string): Uint8Array {
  const isLarge = file.size > OCTAL_LIMIT;
  const parts = split(file.path);
  const { link = '' } = file;
  const isLongLink = Buffer.byteLength(link) > NAME || Buffer.byteLength(link) !== link.length;
  const own = encodeBlock(file, file.link === undefined ? '0' : '2', parts);
  if (parts.fits && !isLarge && !isLongLink) return own;
  const records = Buffer.concat([
    paxRecord('path', file.path),
    ...(isLarge ? [paxRecord('size', String(file.size))] : []),
    ...(isLongLink ? [paxRecord('linkpath', link)] : []),
  ]);
  const pax = { path: paxName, mode: 0o644, size: records.length, modified: file.modified };
  const padding = new Uint8Array(-records.length & (BLOCK - 1));
  return Buffer.concat([encodeBlock(pax, 'x', split(paxName)), records, padding, own]);
}

/** A path as a header has it. */
interface PathParts {
  readonly prefix: string;
  readonly name: string;
  /** Whether these two are the path; where not, a pax header has to say it. */
  readonly fits: boolean;
}

function split(path: string): PathParts {
  const isAscii = Buffer.byteLength(path) === path.length;
  if (Buffer.byteLength(path) < NAME) return { prefix: '', name: path, fits: isAscii };
  // The prefix is as long as it can be; that of a path without a folder is the folder where it lies.
  let slash = path.lastIndexOf('/');
  if (slash < 0) return cut('.', path, isAscii);
  while (slash > 0 && Buffer.byteLength(path.slice(0, slash)) > PREFIX) slash = path.lastIndexOf('/', slash - 1);
  return slash < 0 ? cut('', path, false) : cut(path.slice(0, slash), path.slice(slash + 1), isAscii);
}

/** What is left of a name that is too long tells those who do not know pax at least where the file lies. */
function cut(prefix: string, name: string, isAscii: boolean): PathParts {
  if (prefix !== '' && Buffer.byteLength(name) <= NAME) return { prefix, name, fits: isAscii };
  return { prefix, name: name.slice(0, NAME - 1), fits: false };
}

function encodeBlock(
  { mode, size, modified, link = '' }: Omit<HeaderFields, 'path'>,
  type: '0' | '2' | 'x',
  { name, prefix }: PathParts,
): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, NAME);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  if (size > OCTAL_LIMIT) writeBase256(block.subarray(124, 136), size);
  else block.write(octal(size, 12), 124);
  block.write(octal(modified, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(link, 157, NAME);
  block.write('ustar\x0000', 257);
  block.write(octal(0, 8), 329);
  block.write(octal(0, 8), 337);
  block.write(prefix, 345, PREFIX);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(octal(sum, 8), 148);
  return block;
}

/** A number as a field of `width` bytes has it: a space and a NUL end it, or a NUL alone where it needs the room. */
function octal(value: number, width: number): string {
  const digits = value.toString(8).padStart(width - 2, '0');
  return digits.length === width - 1 ? `${digits}\0` : `${digits} \0`;
}

function writeBase256(field: Buffer, value: number): void {
  field[0] = 0x80;
  field.writeBigUInt64BE(BigInt(value), field.length - 8);
}

/** A record that states its own length in bytes, the digits of that length included. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
