import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderSnapshot } from '../formats/iso9660/image.ts';
import { judgesOfForeign, ownExtract, ownView } from '../support/foreign/look.ts';
import { putInEffect, rawSectors, twoSessions } from '../support/foreign/sessions.ts';
import { writeFilesTree, writePosixTree } from '../support/foreign/trees.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('foreign-kinds');
const at = (name: string): string => join(folder, name);
const [first, second, simple] = [at('first'), at('second'), at('simple')];

beforeAll(() => {
  mkdirSync(first);
  writePosixTree(first);
  mkdirSync(second);
  mkdirSync(simple);
  writeFilesTree(simple);
  writeFileSync(join(second, 'added'), 'later');
});

const both = (one: string) => ({ ...folderSnapshot(one, false), ...folderSnapshot(second, false) });

describe('of several sessions, the one is read whose descriptors are where readers look', () => {
  judged('the last one, where xorriso added it to a file', ['xorriso', 'isoinfo'], async () => {
    const image = at('appended.iso');
    await ok('xorriso', ['-outdev', image, '-map', first, '/']);
    await ok('xorriso', ['-dev', image, '-map', join(second, 'added'), '/added', '-rm', '/noext', '--']);
    const { noext, ...rest } = both(first);
    expect(noext).toBeDefined();
    expect(await ownView(image)).toEqual(rest);
    expect(await judgesOfForeign.xorriso(image, at('appended'))).toEqual(rest);
    expect(await ok('isoinfo', ['-R', '-f', '-i', image])).toMatch(/\/added\n/);
  });

  judged('the first one, where the second follows it as on a disc', ['genisoimage', 'bsdtar', 'isoinfo'], async () => {
    // Of a name in a continuation area, genisoimage loses the end when it adds a session: these have none.
    const image = at('concatenated.iso');
    await twoSessions(image, simple, second);
    expect(await ownView(image)).toEqual(folderSnapshot(simple, false));
    expect(await judgesOfForeign.bsdtar(image, at('concatenated'))).toEqual(folderSnapshot(simple, false));
    expect(await ok('isoinfo', ['-R', '-f', '-i', image])).not.toContain('added');
  });

  judged(
    'the last one, where its descriptors were copied to the first',
    ['genisoimage', 'isoinfo', '7zz'],
    async () => {
      const image = at('copied.iso');
      putInEffect(image, await twoSessions(image, simple, second));
      expect(await ownView(image)).toEqual(both(simple));
      // bsdtar lists nothing: it takes the volume for as small as the session.
      expect(await ok('isoinfo', ['-R', '-f', '-i', image])).toContain('/added');
      expect(await ok('7zz', ['l', image])).toContain(' added');
    },
  );
});

describe('what is around the volume', () => {
  judged('data after its end do not matter', ['xorriso'], async () => {
    const image = at('trailing.iso');
    await ok('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-o', image, first]);
    appendFileSync(image, Buffer.alloc(1_000_001, 'x'));
    expect(await ownView(image)).toEqual(folderSnapshot(first, false));
  });

  judged('a script and partition tables in the system area do not matter', ['xorriso'], async () => {
    const image = at('script.iso');
    await ok('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-o', image, first]);
    const bytes = readFileSync(image);
    bytes.write('#!/bin/sh\nexit 0\n');
    writeFileSync(image, bytes);
    expect(await ownView(image)).toEqual(folderSnapshot(first, false));
  });

  judged('an image that ends within its files is refused where they are missing', ['xorriso'], async () => {
    const image = at('cut.iso');
    await ok('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-no-pad', '-o', image, first]);
    truncateSync(image, readFileSync(image).length - 2048);
    await expect(ownView(image)).rejects.toMatchObject({
      code: 'archive-damaged',
      message: expect.stringMatching(/iso9660-extent/),
    });
  });

  judged('a record of the top that is too long for its descriptor is read', ['genisoimage'], async () => {
    const image = at('longer.iso');
    await ok('genisoimage', ['-quiet', '-R', '-o', image, second]);
    const bytes = readFileSync(image);
    bytes[16 * 2048 + 156] = 68;
    writeFileSync(image, bytes);
    expect(await ownView(image)).toEqual(folderSnapshot(second, false));
  });
});

judged(
  'associated files, such as resource forks, are left out, as Linux leaves them out',
  ['genisoimage'],
  async () => {
    const [image, input] = [at('forks.iso'), at('forks')];
    mkdirSync(join(input, '.AppleDouble'), { recursive: true });
    writeFileSync(join(input, 'file'), 'data');
    // AppleDouble 1: one entry, which is the resource fork (2), 4 bytes at 38.
    const head = Buffer.alloc(38);
    for (const [offset, value] of [
      [0, 0x0005_1607],
      [4, 0x0001_0000],
      [26, 2],
      [30, 38],
      [34, 4],
    ] as const) {
      head.writeUInt32BE(value, offset);
    }
    head.writeUInt16BE(1, 24);
    writeFileSync(join(input, '.AppleDouble', 'file'), Buffer.concat([head, Buffer.from('fork')]));
    for (const flags of [
      ['-R', '-hfs'],
      ['-R', '-apple'],
      ['-J', '-hfs'],
    ]) {
      await ok('genisoimage', ['-quiet', ...flags, '--netatalk', '-o', image, input]);
      expect(readFileSync(image).includes('fork')).toBe(true);
      expect(Object.keys(await ownView(image)), flags.join(' ')).toEqual(['file']);
    }
  },
);

describe('extract', () => {
  judged('writes files, folders and links as they were put in', ['xorriso'], async () => {
    const image = at('extract.iso');
    await ok('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-rr_reloc_dir', '/rr_moved', '-o', image, first]);
    // Two links lead out of the folder, and are refused there.
    const names = ['1', 'a folder', 'bin/run', 'bin/link', 'bin/hard link', 'line\nend', 'semicolon;1', 'empty'];
    const found = await ownExtract(image, names, at('extracted'));
    const wanted = Object.entries(folderSnapshot(first, false)).filter(([path]) =>
      ['bin', ...names].some((name) => path === name || (name !== 'bin' && path.startsWith(`${name}/`))),
    );
    expect(found).toEqual(Object.fromEntries(wanted));
    await expect(ownExtract(image, ['bin/absolute'], at('refused'))).rejects.toMatchObject({ code: 'path-escapes' });
  });
});

describe('files that are stored in another form are refused, not handed out as stored', () => {
  const refusal = {
    code: 'archive-invalid',
    message: expect.stringMatching(/zisofs-compressed file .*iso9660-unsupported/),
  };
  const input = at('zeros');
  beforeAll(() => {
    mkdirSync(input);
    writeFileSync(join(input, 'zeros'), Buffer.alloc(200_000));
  });

  judged('compressed by xorriso', ['xorriso'], async () => {
    const image = at('z-xorriso.iso');
    const filter = ['-set_filter_r', '--zisofs', '/', '--'];
    await ok('xorriso', ['-outdev', image, '-zisofs', 'level=9', '-map', input, '/', ...filter]);
    await expect(ownView(image)).rejects.toMatchObject(refusal);
  });

  judged('compressed by bsdtar', ['bsdtar'], async () => {
    const image = at('z-bsdtar.iso');
    await ok('bsdtar', ['-cf', image, '--format', 'iso9660', '--options', 'zisofs', '-C', input, '.']);
    await expect(ownView(image)).rejects.toMatchObject(refusal);
  });
});

describe('images that are not plain ISO 9660 are refused by name', () => {
  test.each([
    [2352, 16],
    [2352, 24],
    [2336, 8],
    [2448, 16],
  ])('raw sectors of %i bytes, with %i before each block', async (size, before) => {
    const bytes = Buffer.alloc(40 * 2048);
    bytes.write('\x01CD001\x01', 16 * 2048, 'latin1');
    writeFileSync(at('raw.bin'), rawSectors(bytes, size, before));
    await expect(ownView(at('raw.bin'))).rejects.toMatchObject({
      code: 'archive-invalid',
      message: new RegExp(`raw sectors of ${size} bytes.*iso9660-unsupported`),
    });
  });

  test.each([
    ['only UDF', 1, 'BEA01'],
    ['High Sierra', 9, 'CDROM'],
  ])('%s', async (name, offset, identifier) => {
    const bytes = Buffer.alloc(40 * 2048);
    bytes.write(identifier, 16 * 2048 + offset, 'latin1');
    writeFileSync(at('other.iso'), bytes);
    await expect(ownView(at('other.iso'))).rejects.toMatchObject({
      message: new RegExp(`${name}.*iso9660-unsupported`),
    });
  });
});
