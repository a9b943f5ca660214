import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyOpened } from '../../../../lib/flows/verify/index.ts';
import { JOLIET, PRIMARY, SECTOR } from '../../../formats/iso9660/craft.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { openBytes } from '../../../support/in-memory.ts';
import { scratch } from '../../../support/judges.ts';
import { seal } from '../../../support/tar.ts';

// A byte that is another one is reported by the structure that it lies in, and by its field there.

const folder = scratch('verify-parts');
const images: Record<string, Buffer> = {};
const long = `${'n'.repeat(240)}.yaml`;

beforeAll(async () => {
  await smallSolution(folder);
  const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
  writeFiles(folder, { [`web/${long}`]: object('long'), 'web/é.yaml': object('short') });
  for (const name of ['small.iso', 'small.tar']) {
    await packHere(join(folder, 'solution.toml'), join(folder, name));
    images[name] = readFileSync(join(folder, name));
  }
});

/** What is found where one byte is another one; a tar header keeps a right checksum, so that readers do not mind. */
async function found(name: string, place: (image: Buffer) => number): Promise<[subject: string, message: string][]> {
  const bytes = Buffer.from(images[name]!);
  const at = place(bytes);
  bytes[at]! ^= 1;
  const block = bytes.subarray(Math.floor(at / 512) * 512);
  if (name.endsWith('.tar') && block.toString('latin1', 257, 262) === 'ustar') seal(block);
  const { findings } = await verifyOpened(await openBytes(bytes), 'archive', undefined, testFlow());
  return findings.flatMap(({ code, subject, message }) => (code === 'structure-mismatch' ? [[subject, message]] : []));
}

const differs = (field: string): unknown =>
  expect.stringMatching(`^${field === '' ? 'differs' : `${field} differs`} from`);

const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** The record with `identifier` in the directories that come after `from`. */
const record = (image: Buffer, identifier: Uint8Array | string): number =>
  image.indexOf(identifier, topOf(image, PRIMARY)) - 33;
const topOf = (image: Buffer, descriptor: number): number => image.readUInt32LE(descriptor + 158) * SECTOR;
const tableOf = (image: Buffer, descriptor: number): number => image.readUInt32LE(descriptor + 140) * SECTOR;

describe('an ISO', () => {
  test.each<[structure: string, field: string, place: (image: Buffer) => number]>([
    ['system area', '', () => 1000],
    ['primary volume descriptor', 'its volume identifier', () => PRIMARY + 40],
    ['primary volume descriptor', 'its volume creation date and time', () => PRIMARY + 813],
    ['primary volume descriptor', 'its reserved field', () => PRIMARY + 2047],
    ['Joliet volume descriptor', 'its root directory record, recording date and time', () => JOLIET + 156 + 18],
    ['volume descriptor set terminator', '', () => JOLIET + SECTOR + 100],
    [
      'record of the top in the L path table, Rock Ridge tree',
      'its parent directory number',
      (i) => tableOf(i, PRIMARY) + 6,
    ],
    ['record of blobs in the L path table, Joliet tree', 'its directory identifier', (i) => i.indexOf(ucs2('blobs'))],
    ['L path table, Joliet tree', 'its padding', (i) => tableOf(i, JOLIET) + SECTOR - 1],
    [
      'directory record of components/web, Rock Ridge tree',
      'its recording date and time',
      (i) => record(i, 'WEB') + 20,
    ],
    [
      'directory record of oci-layout, Rock Ridge tree',
      'its recording date and time',
      (i) => record(i, 'OCI_LAYOUT.;1') + 18,
    ],
    ['directory record of oci-layout, Joliet tree', 'its file identifier', (i) => i.indexOf(ucs2('oci-layout'))],
    ['directory record of oci-layout, Joliet tree', 'its location of extent', (i) => record(i, ucs2('oci-layout')) + 9],
    ['directory record of oci-layout, Rock Ridge tree', 'its NM entry', (i) => i.indexOf('oci-layout', 0x9000)],
    ['directory record "." in the top, Rock Ridge tree', 'its recording date and time', (i) => topOf(i, PRIMARY) + 18],
    ['directory record ".." in the top, Joliet tree', 'its file flags', (i) => topOf(i, JOLIET) + 34 + 25],
    ['directory the top, Joliet tree', 'its padding', (i) => topOf(i, JOLIET) + SECTOR - 1],
    [
      `continuation area of the directory record of components/web/${long}, Rock Ridge tree`,
      'its NM entry',
      (i) => i.indexOf(long.slice(-100)),
    ],
    ['continuation area of components/web, Rock Ridge tree', 'its padding', (i) => i.indexOf(long.slice(-100)) + 1000],
    ['padding after oci-layout', '', (i) => i.indexOf('imageLayoutVersion') + 100],
    ['index.json', '', (i) => i.indexOf('"manifests"')],
    ['padding at the end', '', (i) => i.length - 1],
  ])('%s, %s', async (structure, field, place) => {
    expect(await found('small.iso', place)).toEqual([[structure, differs(field)]]);
  });
});

describe('a tar', () => {
  const header = (image: Buffer, path: string): number => image.indexOf(`${path}\0`);

  test.each<[structure: string, field: string, place: (image: Buffer) => number]>([
    ['tar header of oci-layout', 'its mtime', (i) => header(i, 'oci-layout') + 140],
    ['tar header of .solpack/SHA256SUMS', 'its chksum', (i) => header(i, '.solpack/SHA256SUMS') + 270],
    ['padding after oci-layout', '', (i) => header(i, 'oci-layout') + 1023],
  ])('%s, %s', async (structure, field, place) => {
    expect(await found('small.tar', place)).toEqual([[structure, differs(field)]]);
  });
});
