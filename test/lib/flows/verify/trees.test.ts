import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { both32, JOLIET, PRIMARY, SECTOR } from '../../../formats/iso9660/craft.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

// An image shows itself to each reader by one of its trees, or by a path table: whoever looks at another one than the
// reader of this project must not be shown something else.

const folder = scratch('verify-trees');
let good: Buffer;

beforeAll(async () => {
  await smallSolution(folder);
  await packHere(join(folder, 'solution.toml'), join(folder, 'good.iso'));
  good = readFileSync(join(folder, 'good.iso'));
});

/** Where the records of the top of the tree of `descriptor` begin. */
const topOf = (image: Buffer, descriptor: number): number => image.readUInt32LE(descriptor + 158) * SECTOR;

const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** The record with `identifier` in the tree of `descriptor`. */
const record = (image: Buffer, descriptor: number, identifier: Uint8Array | string): number =>
  image.indexOf(identifier, topOf(image, descriptor)) - 33;

/** Adds a record at the end of the top of the Joliet tree: a copy of the one of `oci-layout`, under another name. */
function hide(image: Buffer): void {
  const from = record(image, JOLIET, ucs2('oci-layout'));
  let end = topOf(image, JOLIET);
  while (image[end] !== 0) end += image[end]!;
  image.copy(image, end, from, from + image[from]!);
  ucs2('zci-layout').copy(image, end + 33);
}

const pathTable = (image: Buffer, type: 'L' | 'M'): number =>
  SECTOR * (type === 'L' ? image.readUInt32LE(PRIMARY + 140) : image.readUInt32BE(PRIMARY + 148));

const attacks: [name: string, subject: RegExp, attack: (image: Buffer) => unknown][] = [
  [
    'a name that is another one in the Joliet tree',
    /Joliet/,
    (image) => ucs2('x').copy(image, record(image, JOLIET, ucs2('manifest.yaml')) + 33),
  ],
  [
    'a file whose bytes are other ones in the Joliet tree',
    /Joliet/,
    (image) => {
      const other = image.readUInt32LE(record(image, JOLIET, ucs2('oci-layout')) + 2);
      both32(image, record(image, JOLIET, ucs2('manifest.yaml')) + 2, other);
    },
  ],
  ['a file that is in the Joliet tree alone', /Joliet/, hide],
  [
    'a file whose size is another one in the Joliet tree',
    /Joliet/,
    (image) => both32(image, record(image, JOLIET, ucs2('manifest.yaml')) + 10, 1),
  ],
  [
    'a plain name that is another one',
    /Rock Ridge/,
    (image) => image.write('X', record(image, PRIMARY, 'OCI_LAYOUT.;1') + 33),
  ],
  [
    'a path table that leads to another directory',
    /path table/i,
    (image) => image.writeUInt32LE(topOf(image, JOLIET) / SECTOR, pathTable(image, 'L') + 2),
  ],
  [
    'a path table of type M that says other than that of type L',
    /path table/i,
    (image) => image.writeUInt32BE(topOf(image, JOLIET) / SECTOR, pathTable(image, 'M') + 2),
  ],
  ['a path table of 4 GiB', /descriptor/, (image) => both32(image, PRIMARY + 132, 0xffffffff)],
  ['a path table that lies beyond the end', /descriptor/, (image) => image.writeUInt32LE(0xffffffff, PRIMARY + 140)],
  [
    'a second path table where none was',
    /descriptor/,
    (image) => image.writeUInt32LE(pathTable(image, 'L'), PRIMARY + 144),
  ],
];

test.each(attacks)('%s is a finding that names the structure', async (_, subject, attack) => {
  const image = Buffer.from(good);
  attack(image);
  const archive = join(folder, 'damaged.iso');
  writeFileSync(archive, image);
  const { ok, findings } = await verify({ archive, trust: undefined }, testFlow());
  expect(ok).toBe(false);
  expect(findings).toEqual([
    expect.objectContaining({ code: 'structure-mismatch', subject: expect.stringMatching(subject) }),
  ]);
});
