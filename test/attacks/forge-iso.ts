import { encodeRecord, type RecordFields } from '../../formats/iso9660/record.ts';
import { PRIMARY, pair, SECTOR, systemUse } from '../formats/iso9660/craft.ts';

/** How files of ISO 9660 images are named in their trees: `primary` is where Rock Ridge stands. */
export type IsoTree = 'primary' | 'joliet';

const JOLIET = PRIMARY + SECTOR;

/** Where the records of the top of a tree begin. */
export function topOf(image: Buffer, tree: IsoTree): number {
  return image.readUInt32LE((tree === 'primary' ? PRIMARY : JOLIET) + 158) * SECTOR;
}

/** A name as Joliet has it: UCS-2, big-endian. */
export function ucs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Where the record with `identifier` begins: `MANIFEST.YAM;1` in the primary tree, `manifest.yaml` in the other. */
export function recordOf(image: Buffer, tree: IsoTree, identifier: string): number {
  const at = image.indexOf(tree === 'primary' ? identifier : ucs2(identifier), topOf(image, tree));
  if (at < 0) throw new Error(`there is no record of ${identifier}`);
  return at - 33;
}

/** Rock Ridge entries of a record: its mode and its name. */
export function rockRidge(mode: number, name: Uint8Array | string, ...more: Uint8Array[]): Buffer {
  const px = systemUse('PX', pair(mode, 1, 0, 0));
  return Buffer.concat([px, systemUse('NM', [0, ...Buffer.from(name)]), ...more]);
}

/** Adds a record at the end of the top of the primary tree. */
export function addRecord(image: Buffer, fields: Partial<RecordFields>): void {
  let at = topOf(image, 'primary');
  while (image[at] !== 0) at += image[at]!;
  const own = { block: 0, size: 0, directory: false, date: new Uint8Array(7), identifier: Buffer.from('ZZ.;1') };
  image.set(encodeRecord({ ...own, ...fields }), at);
}

/** Takes a record out of its directory. */
export function dropRecord(image: Buffer, at: number): void {
  const end = SECTOR * (Math.floor(at / SECTOR) + 1);
  const length = image[at]!;
  image.copyWithin(at, at + length, end);
  image.fill(0, end - length, end);
}

/** The first block of the file whose record begins at `at`. */
export function blockOf(image: Buffer, at: number): number {
  return image.readUInt32LE(at + 2);
}

/** The extent of a file that is there, for one that is to have the same bytes. */
export function shareOf(image: Buffer): Pick<RecordFields, 'block' | 'size'> {
  const at = recordOf(image, 'primary', 'OCI_LAYOUT.;1');
  return { block: blockOf(image, at), size: image.readUInt32LE(at + 10) };
}
