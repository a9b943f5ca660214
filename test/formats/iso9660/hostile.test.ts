import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import type { OpenImageOptions } from '../../../formats/iso9660/read.ts';
import { encodeRecord } from '../../../formats/iso9660/record.ts';
import {
  blockOf,
  both32,
  continued,
  damaged,
  entry,
  folder,
  inner,
  JOLIET,
  joliet,
  jolietTop,
  lengthen,
  link,
  long,
  PRIMARY,
  pair,
  pair16,
  plain,
  record,
  refilled,
  SECTOR,
  second,
  sections,
  spare,
  systemUse,
  top,
  twice,
  victim,
} from './craft.ts';

type Attack = readonly [string, string, (image: Buffer) => unknown, OpenImageOptions?];

const attacks: Record<string, readonly Attack[]> = {
  'volume descriptors': [
    ['an image that ends within them', 'iso9660-descriptor', (image) => image.subarray(0, 17 * SECTOR)],
    ['an image with nothing in it', 'iso9660-descriptor', () => Buffer.alloc(0)],
    ['no terminator', 'iso9660-descriptor', (image) => image.fill(0, 18 * SECTOR, 19 * SECTOR)],
    ['no primary descriptor', 'iso9660-descriptor', (image) => image.writeUInt8(0, PRIMARY)],
    ['an unknown version', 'iso9660-descriptor', (image) => image.writeUInt8(2, PRIMARY + 6)],
    [
      'more than 64 of them',
      'iso9660-descriptor',
      (image) => {
        for (let at = 18; at < 90; at += 1) image.copy(image, at * SECTOR, PRIMARY, PRIMARY + SECTOR);
      },
    ],
    ['blocks of 512 bytes', 'iso9660-descriptor', (image) => pair16(512).copy(image, PRIMARY + 128)],
    ['a top that is not a directory', 'iso9660-descriptor', (image) => image.writeUInt8(0, PRIMARY + 156 + 25)],
    ['a top within the descriptors', 'iso9660-overlap', (image) => both32(image, PRIMARY + 158, 16)],
    ['a top outside the volume', 'iso9660-extent', (image) => both32(image, PRIMARY + 158, 0xffffffff)],
    ['a top that points at content', 'iso9660-record', (image) => both32(image, PRIMARY + 158, blockOf(victim))],
    ['a volume of no blocks', 'iso9660-extent', (image) => both32(image, PRIMARY + 80, 0)],
  ],
  'numbers in both byte orders': [
    ['a size of the volume that differs', 'iso9660-byte-order', (image) => image.writeUInt32LE(9, PRIMARY + 80)],
    ['a block of a file that differs', 'iso9660-byte-order', (image) => image.writeUInt32BE(9, victim + 6)],
    ['a mode that differs', 'iso9660-byte-order', (image) => image.writeUInt32BE(9, entry('PX', victim) + 8)],
    ['a size of the path table that differs', 'iso9660-byte-order', (image) => image.writeUInt32BE(9, PRIMARY + 136)],
    ['a size of logical blocks that differs', 'iso9660-byte-order', (image) => image.writeUInt16BE(9, PRIMARY + 130)],
    ['a top of Joliet that differs', 'iso9660-byte-order', (image) => image.writeUInt32BE(9, JOLIET + 162)],
    [
      'a place of a continuation that differs',
      'iso9660-byte-order',
      (image) => image.writeUInt32BE(9, entry('CE', long) + 8),
    ],
    ['a volume number that differs', 'iso9660-byte-order', (image) => image.writeUInt16BE(9, victim + 30)],
  ],
  'directory records': [
    ['a length too short', 'iso9660-record', (image) => image.writeUInt8(33, victim)],
    ['a length across the end of the sector', 'iso9660-record', lengthen],
    ['an identifier longer than the record', 'iso9660-record', (image) => image.writeUInt8(250, victim + 32)],
    ['no identifier', 'iso9660-record', (image) => image.writeUInt8(0, victim + 32)],
    ['interleaving', 'iso9660-unsupported', (image) => image.writeUInt8(1, victim + 26)],
    ['an extended attribute record', 'iso9660-unsupported', (image) => image.writeUInt8(1, victim + 1)],
    [
      'a name that is there twice',
      'iso9660-name',
      (image) => image.write('/inner', entry('NM', inner) + 4) && twice(image),
    ],
  ],
  extents: [
    ['a file outside the volume', 'iso9660-extent', (image) => both32(image, victim + 2, 0xfffffff0)],
    ['a file across the end of the volume', 'iso9660-extent', (image) => both32(image, victim + 10, 0xffffffff)],
    [
      'a file beyond the end of what holds the image',
      'iso9660-extent',
      (image) => image.subarray(0, blockOf(victim) * SECTOR + 4999),
    ],
    ['a file over the volume descriptors', 'iso9660-overlap', (image) => both32(image, victim + 2, 16)],
    ['a file over the terminator of the descriptors', 'iso9660-overlap', (image) => both32(image, victim + 2, 18)],
    ['a file over a directory', 'iso9660-overlap', (image) => both32(image, victim + 2, blockOf(folder))],
    [
      'a file over part of another',
      'iso9660-overlap',
      (image) => both32(image, victim + 2, blockOf(record('OTHER.;1')) + 1),
    ],
    [
      'a file that begins as another, but is longer',
      'iso9660-overlap',
      (image) => both32(image, inner + 2, blockOf(victim)),
    ],
  ],
  directories: [
    ['one that holds its parent', 'iso9660-directory-loop', (image) => both32(image, folder + 2, top / SECTOR)],
    ['one that is there twice', 'iso9660-directory-loop', (image) => both32(image, folder + 2, blockOf(second))],
    ['one that holds itself', 'iso9660-directory-loop', (image) => refilled(image, [{ identifier: Buffer.from('A') }])],
    ['a size of no sectors', 'iso9660-record', (image) => both32(image, folder + 10, 0)],
    ['a size of less than a sector', 'iso9660-record', (image) => both32(image, folder + 10, 100)],
    ['a size that rounds to nothing in 32 bits', 'iso9660-limit', (image) => both32(image, folder + 10, 0xffffffff)],
    ['a size of 65 MiB', 'iso9660-limit', (image) => both32(image, folder + 10, 65 * 2 ** 20)],
    ['a size across the end of the volume', 'iso9660-extent', (image) => both32(image, folder + 10, 32 * 2 ** 20)],
  ],
  'continuation areas': [
    [
      'one that leads to itself',
      'iso9660-continuation',
      (image) => continued(image, systemUse('CE', pair(spare, 0, 28))),
    ],
    [
      'two that lead to each other',
      'iso9660-continuation',
      (image) => continued(image, systemUse('CE', pair(spare, 28, 28)), systemUse('CE', pair(spare, 0, 28))),
    ],
    [
      'forty in a row',
      'iso9660-continuation',
      (image) => {
        const chain = Array.from({ length: 40 }, (_, at) => systemUse('CE', pair(spare, 28 * (at + 1), 28)));
        continued(image, ...chain);
        pair(spare, 0, 28).copy(image, entry('CE', long) + 4);
      },
    ],
    [
      'one that leads to the record it belongs to',
      'iso9660-continuation',
      (image) => pair(Math.floor(long / SECTOR), entry('CE', long) % SECTOR, 28).copy(image, entry('CE', long) + 4),
    ],
    [
      'thirty-two with more than 64 KiB between them',
      'iso9660-continuation',
      (image) => {
        for (let at = 0; at < 32; at += 1) {
          systemUse('CE', pair(spare + at + 1, 0, SECTOR)).copy(image, (spare + at) * SECTOR);
        }
        pair(spare, 0, SECTOR).copy(image, entry('CE', long) + 4);
      },
    ],
    [
      'one within the volume, but beyond the end of what holds the image',
      'iso9660-continuation',
      (image) => {
        both32(image, PRIMARY + 80, 1_000_000);
        both32(image, entry('CE', long) + 4, image.length / SECTOR);
      },
    ],
    ['one outside the volume', 'iso9660-continuation', (image) => both32(image, entry('CE', long) + 4, 0xffffffff)],
    ['one across the end of a sector', 'iso9660-continuation', (image) => both32(image, entry('CE', long) + 12, 2000)],
    ['one of 4 GiB', 'iso9660-continuation', (image) => both32(image, entry('CE', long) + 20, 0xffffffff)],
    [
      'two CE entries in one field',
      'iso9660-continuation',
      (image) => continued(image, systemUse('CE', pair(1, 0, 9)), systemUse('CE', pair(2, 0, 9))),
    ],
    ['a CE entry without its numbers', 'iso9660-continuation', (image) => continued(image, systemUse('CE', [1, 2]))],
  ],
  'Rock Ridge entries': [
    ['a length of zero', 'iso9660-rock-ridge', (image) => image.writeUInt8(0, entry('PX', victim) + 2)],
    ['a length of three', 'iso9660-rock-ridge', (image) => image.writeUInt8(3, entry('PX', victim) + 2)],
    ['a length beyond the record', 'iso9660-rock-ridge', (image) => image.writeUInt8(255, entry('NM', victim) + 2)],
    ['PX without its numbers', 'iso9660-rock-ridge', (image) => continued(image, systemUse('PX', [1, 2, 3]))],
    ['CL without its number', 'iso9660-rock-ridge', (image) => continued(image, systemUse('CL', [1, 2, 3]))],
    [
      'a file with the mode of a directory',
      'iso9660-rock-ridge',
      (image) => both32(image, entry('PX', victim) + 4, 0o40755),
    ],
    [
      'a directory with the mode of a file',
      'iso9660-rock-ridge',
      (image) => both32(image, entry('PX', folder) + 4, 0o100644),
    ],
    ['a compressed file', 'iso9660-unsupported', (image) => continued(image, systemUse('ZF', Buffer.alloc(12)))],
    ['a sparse file', 'iso9660-unsupported', (image) => continued(image, systemUse('SF', Buffer.alloc(17)))],
  ],
  names: [
    ['NUL', 'iso9660-name', (image) => image.writeUInt8(0, entry('NM', victim) + 6)],
    ['a slash', 'iso9660-name', (image) => image.write('/', entry('NM', victim) + 6)],
    ['bytes that are not UTF-8', 'iso9660-name', (image) => image.writeUInt8(0xff, entry('NM', victim) + 6)],
    ['two dots', 'iso9660-name', (image) => continued(image, systemUse('NM', [0, 0x2e, 0x2e]))],
    ['one dot', 'iso9660-name', (image) => continued(image, systemUse('NM', [0, 0x2e]))],
    ['nothing', 'iso9660-name', (image) => continued(image, systemUse('NM', [0]))],
    ['a flag that stands for two dots', 'iso9660-rock-ridge', (image) => image.writeUInt8(4, entry('NM', victim) + 4)],
    ['no end', 'iso9660-rock-ridge', (image) => image.writeUInt8(1, entry('NM', victim) + 4)],
    [
      'more after the end',
      'iso9660-rock-ridge',
      (image) => continued(image, systemUse('NM', [0, 65]), systemUse('NM', [0, 66])),
    ],
    ['no flags', 'iso9660-rock-ridge', (image) => continued(image, systemUse('NM', []))],
    [
      'more than 255 bytes',
      'iso9660-rock-ridge',
      (image) =>
        continued(image, systemUse('NM', [1, ...Buffer.alloc(200, 65)]), systemUse('NM', [0, ...Buffer.alloc(56, 65)])),
    ],
    [
      'two dots in the primary tree',
      'iso9660-name',
      (image) => refilled(image, [{ identifier: Buffer.from('..') }]),
      plain,
    ],
    ['a slash in the primary tree', 'iso9660-name', (image) => image.write('/', victim + 34), plain],
    ['nothing but a version', 'iso9660-name', (image) => refilled(image, [{ identifier: Buffer.from('.;1') }]), plain],
    ['an odd length in the Joliet tree', 'iso9660-name', (image) => jolietTop(image, Buffer.from('\0A\0')), joliet],
    [
      'half a character in the Joliet tree',
      'iso9660-name',
      (image) => jolietTop(image, Buffer.from([0xd8, 0, 0, 65])),
      joliet,
    ],
    [
      'two dots in the Joliet tree',
      'iso9660-name',
      (image) => jolietTop(image, Buffer.from('\0.\0.\0;\0' + '1')),
      joliet,
    ],
  ],
  'symbolic links': [
    ['no target', 'iso9660-rock-ridge', (image) => both32(image, entry('PX', victim) + 4, 0o120777)],
    [
      'a target of what is not a link',
      'iso9660-rock-ridge',
      (image) => continued(image, systemUse('SL', [0, 0, 1, 65])),
    ],
    ['a component across the end', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', [0, 0, 200, 65]))],
    ['half a component', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', [0, 0]))],
    ['nothing in the entry', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', []))],
    ['an empty target', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', [0, 0, 0]))],
    ['NUL in the target', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', [0, 0, 1, 0]))],
    ['a target that is not UTF-8', 'iso9660-rock-ridge', (image) => link(image, systemUse('SL', [0, 0, 1, 0xff]))],
    [
      'a target of more than 4095 bytes',
      'iso9660-rock-ridge',
      (image) => {
        const part = systemUse('SL', [1, 1, 248, ...Buffer.alloc(248, 65)]);
        const sector = Buffer.concat(Array.from({ length: 8 }, () => part));
        const pointed = (at: number) =>
          Buffer.concat([
            sector.subarray(0, 7 * part.length),
            systemUse('CE', pair(spare + at, 0, 7 * part.length + 28)),
          ]);
        link(image, pointed(1));
        for (const at of [1, 2]) pointed(at + 1).copy(image, (spare + at) * SECTOR);
        sector.subarray(0, 7 * part.length).copy(image, (spare + 3) * SECTOR);
      },
    ],
  ],
  'files of several sections': [
    ['no last section', 'iso9660-record', (image) => sections(image, [true, true])],
    ['another file before the last section', 'iso9660-record', (image) => sections(image, [true, false], ['A', 'B'])],
    [
      'a section that does not fill its sector',
      'iso9660-record',
      (image) => sections(image, [true, false], ['A'], 100),
    ],
    ['a section of no bytes', 'iso9660-record', (image) => sections(image, [true, false], ['A'], 0)],
    ['a directory', 'iso9660-record', (image) => image.writeUInt8(0x82, folder + 25)],
    [
      'more than 100',
      'iso9660-limit',
      (image) =>
        sections(
          image,
          Array.from({ length: 102 }, (_, at) => at < 101),
        ),
    ],
  ],
  'moved directories': [
    [
      'one that was moved to its own parent',
      'iso9660-directory-loop',
      (image) => continued(image, systemUse('CL', pair(top / SECTOR))),
    ],
    ['one that was moved to block 0', 'iso9660-rock-ridge', (image) => continued(image, systemUse('CL', pair(0)))],
    [
      'one that was moved out of the volume',
      'iso9660-extent',
      (image) => continued(image, systemUse('CL', pair(0xffffffff))),
    ],
    [
      'one that was moved to what is not a directory',
      'iso9660-record',
      (image) => continued(image, systemUse('CL', pair(blockOf(victim)))),
    ],
    [
      'two that were moved into each other',
      'iso9660-directory-loop',
      (image) => {
        // Each of the two holds a record of its own that stands for the other.
        const standsFor = (block: number) => systemUse('CL', pair(block));
        refilled(image, [
          { identifier: Buffer.from('X'), directory: false, size: 0, systemUse: standsFor(blockOf(second)) },
        ]);
        const there = encodeRecord({
          identifier: Buffer.from('Y'),
          block: 0,
          size: 0,
          directory: false,
          date: new Uint8Array(7),
          systemUse: standsFor(spare),
        });
        const at = record('BELOW.;1');
        image.fill(0, at, (blockOf(second) + 1) * SECTOR).set(there, at);
      },
    ],
    [
      'two that were moved to one place',
      'iso9660-directory-loop',
      (image) => continued(image, systemUse('CL', pair(blockOf(folder)))),
    ],
  ],
};

for (const [subject, rows] of Object.entries(attacks)) {
  describe(`damaged or hostile ${subject} end in an error`, () => {
    test.each(rows.map(([name, code, ...rest]) => ({ name, code, rest })))('$name: $code', async ({ code, rest }) => {
      const error = await damaged(...rest).then(
        () => undefined,
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(FormatError);
      expect(error.code).toBe(code);
      expect(error.message).not.toMatch(/[.\n]$|undefined|NaN/);
    });
  });
}
