import { memory, type ReadAt } from '../../../formats/bytes.ts';
import { type OpenImageOptions, openIsoImage } from '../../../formats/iso9660/read.ts';
import { encodeRecord, placeAfter, type RecordFields } from '../../../formats/iso9660/record.ts';
import type { TreeEntry } from '../../../formats/tree.ts';
import { contentOf, imageOf } from './image.ts';

export const SECTOR = 2048;
export const PRIMARY = 16 * SECTOR;
export const JOLIET = 17 * SECTOR;
export const SPARE = 40 * SECTOR;

/**
 * An image to be damaged: `SPARE` bytes of content, where directories and continuation areas of any kind can be put.
 */
export const sound = imageOf([
  { path: 'victim', content: 'v'.repeat(5000) },
  { path: 'other', content: 'o'.repeat(5000) },
  { path: 'folder/inner', content: 'inner' },
  { path: 'folder/inner2', content: 'inner2' },
  { path: 'second/below', content: 'below' },
  { path: 'l'.repeat(200), content: 'long name, in a continuation area' },
  { path: 'spare', content: '\0'.repeat(SPARE) },
]);
export const top = sound.readUInt32LE(PRIMARY + 158) * SECTOR;

/** Where the primary tree's record with `identifier` begins. */
export const record = (identifier: string): number => sound.indexOf(identifier, top) - 33;
export const victim = record('VICTIM.;1');
export const folder = record('FOLDER');
export const second = record('SECOND');
export const inner = record('INNER.;1');
export const long = record(`${'L'.repeat(30)}.;1`);
export const spare = sound.readUInt32LE(record('SPARE.;1') + 2);
export const blockOf = (at: number): number => sound.readUInt32LE(at + 2);

/** A System Use entry of the record at `at`. */
export const entry = (signature: string, at: number): number => sound.indexOf(signature, at + 33);

export function both32(image: Buffer, at: number, value: number): void {
  image.writeUInt32LE(value, at);
  image.writeUInt32BE(value, at + 4);
}

export function systemUse(signature: string, payload: Uint8Array | number[]): Buffer {
  return Buffer.from([...Buffer.from(signature), 4 + payload.length, 1, ...payload]);
}

export function pair(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) both32(bytes, at * 8, value);
  return bytes;
}

/** Lets the record of the long name go on with `entries`, which take the place of its name. */
export function continued(image: Buffer, ...entries: Uint8Array[]): void {
  const bytes = Buffer.concat(entries);
  bytes.copy(image, spare * SECTOR);
  pair(spare, 0, bytes.length).copy(image, entry('CE', long) + 4);
}

/** Lets `folder` be a directory of `records`, laid out in `spare`. */
export function refilled(image: Buffer, records: Partial<RecordFields>[]): void {
  const own = { block: spare, size: SECTOR, directory: true, date: new Uint8Array(7), identifier: Uint8Array.of(0) };
  const all = [{}, { identifier: Uint8Array.of(1) }, ...records];
  const encoded = all.map((fields) => encodeRecord({ ...own, ...fields }));
  const bytes = packSectors(encoded);
  bytes.copy(image, spare * SECTOR);
  both32(image, folder + 2, spare);
  both32(image, folder + 10, bytes.length);
}

/** Lays out records one after the other, none across the end of a sector. */
export function packSectors(records: readonly Uint8Array[]): Buffer {
  let end = 0;
  const starts = records.map(({ length }) => {
    const start = placeAfter(end, length);
    end = start + length;
    return start;
  });
  const bytes = Buffer.alloc(Math.ceil(end / SECTOR) * SECTOR);
  for (const [at, record] of records.entries()) bytes.set(record, starts[at]!);
  return bytes;
}

export async function readAll(source: ReadAt, options?: OpenImageOptions): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const found of (await openIsoImage(source, options)).walk()) {
    await contentOf(source, found);
    entries.push(found);
  }
  return entries;
}

export async function damaged(patch: (image: Buffer) => unknown, options?: OpenImageOptions): Promise<TreeEntry[]> {
  const image = Buffer.from(sound);
  const shorter = patch(image);
  return readAll(frugal(memory(Buffer.isBuffer(shorter) ? shorter : image)), options);
}

/** A source that fails who reads it many times over: the reader's work must not grow with what an image claims. */
function frugal(source: ReadAt): ReadAt {
  let [reads, bytes] = [0, 0];
  return {
    size: source.size,
    read: (offset, length) => {
      reads += 1;
      bytes += length;
      if (reads > 500 || bytes > 4 * sound.length) throw new Error(`${reads} reads of ${bytes} bytes`);
      return source.read(offset, length);
    },
  };
}

export const plain: OpenImageOptions = { namespace: 'plain' };
export const joliet: OpenImageOptions = { namespace: 'joliet' };

export function pair16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}

/** Fills the first sector of `folder` with records but for a few bytes, and lets the last one be longer than those. */
export function lengthen(image: Buffer): void {
  refilled(
    image,
    Array.from({ length: 60 }, (_, at) => ({
      identifier: Buffer.from(String(at + 10_000)),
      directory: false,
      size: 0,
    })),
  );
  let at = spare * SECTOR;
  while (image[at + image[at]!] !== 0) at += image[at]!;
  image.writeUInt8(250, at);
}

export function twice(image: Buffer): void {
  const same = { identifier: Buffer.from('SAME.;1'), directory: false, size: 0 };
  refilled(image, [same, same]);
}

export function link(image: Buffer, target: Uint8Array): void {
  both32(image, entry('PX', long) + 4, 0o120777);
  continued(image, target);
}

export function sections(image: Buffer, more: boolean[], names = ['A'], size = SECTOR): void {
  const from = blockOf(record('OTHER.;1'));
  refilled(
    image,
    more.map((flag, at) => ({
      identifier: Buffer.from(names[at % names.length]!),
      directory: false,
      more: flag,
      block: from,
      size: flag ? size : 100,
    })),
  );
}

/** Lets the Joliet tree be one directory that holds one file of `identifier`. */
export function jolietTop(image: Buffer, identifier: Buffer): void {
  refilled(image, [{ identifier, directory: false, size: 0 }]);
  both32(image, JOLIET + 158, spare);
  both32(image, JOLIET + 166, SECTOR);
}
