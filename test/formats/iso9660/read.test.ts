import { chmodSync, cpSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { memory, type ReadAt } from '../../../formats/bytes.ts';
import { type OpenImageOptions, openIsoImage, sniffImage } from '../../../formats/iso9660/read.ts';
import { type Judge, judged, ok, run, scratch } from '../../support/judges.ts';
import { folderSnapshot, imageOf, readSnapshot, type Snapshot } from './image.ts';

const folder = scratch('iso9660-read');
const source = join(folder, 'source');
const simple = join(folder, 'simple');

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

beforeAll(() => {
  const at = (path: string) => join(source, path);
  write(at('README.txt'), 'upper');
  write(at('readme.TXT'), 'lower');
  write(at('bin/run'), '#!/bin/sh\n', 0o755);
  write(at('empty'), '');
  write(at(`blobs/sha256/${'ab'.repeat(32)}`), 'x'.repeat(10_000));
  write(at('déjà/日本語.txt'), 'unicode');
  write(at('n'.repeat(200)), 'a long name');
  write(at(`${Array.from({ length: 12 }, (_, level) => `level${level}`).join('/')}/leaf`), 'deep');
  for (let number = 0; number < 200; number += 1) write(at(`many/file-${number}`), `${number}`);
  mkdirSync(at('nothing'));
  linkSync(at('bin/run'), at('bin/run-too'));
  symlinkSync('../bin/run', at('many/link'));
  symlinkSync('/usr/../usr/./lib', at('absolute'));
  symlinkSync('s'.repeat(240), at('one long name'));
  // What every tree of every writer can hold.
  write(join(simple, 'A.TXT'), 'a');
  write(join(simple, 'DIR/SUB/B'), 'b'.repeat(5000));
  write(join(simple, 'DIR/C.D'), '');
});

async function readBack(path: string, options?: OpenImageOptions): Promise<Snapshot> {
  const bytes = readFileSync(path);
  return readSnapshot(bytes, await openIsoImage(memory(bytes), options));
}

/** What bsdtar makes of an image. */
async function unpacked(path: string, name: string): Promise<Snapshot> {
  const out = join(folder, `out-${name}`);
  mkdirSync(out);
  await ok('bsdtar', ['-xf', path, '-C', out]);
  const found = folderSnapshot(out);
  rmSync(out, { recursive: true });
  return found;
}

const mkisofs = ['-as', 'mkisofs', '-quiet'];
const full: [string, Judge, (path: string) => string[]][] = [
  ['genisoimage with Rock Ridge', 'genisoimage', (path) => ['-quiet', '-R', '-o', path, source]],
  [
    'genisoimage with Rock Ridge and Joliet, level 3',
    'genisoimage',
    (path) => ['-quiet', '-iso-level', '3', '-R', '-J', '-joliet-long', '-o', path, source],
  ],
  [
    'genisoimage with Rock Ridge, level 4',
    'genisoimage',
    (path) => ['-quiet', '-iso-level', '4', '-r', '-o', path, source],
  ],
  [
    'genisoimage with deep directories kept',
    'genisoimage',
    (path) => ['-quiet', '-D', '-R', '-input-charset', 'utf-8', '-o', path, source],
  ],
  ['xorriso', 'xorriso', (path) => ['-outdev', path, '-map', source, '/']],
  ['xorriso with Joliet', 'xorriso', (path) => [...mkisofs, '-R', '-J', '-o', path, source]],
  [
    'xorriso with deep directories moved',
    'xorriso',
    (path) => [...mkisofs, '-R', '-rr_reloc_dir', '/rr_moved', '-o', path, source],
  ],
  ['bsdtar', 'bsdtar', (path) => ['-cf', path, '--format', 'iso9660', '-C', source, '.']],
];

describe('an image with Rock Ridge reads as its source folder and as bsdtar reads it', () => {
  for (const [name, judge, command] of full) {
    judged(`written by ${name}`, [judge, 'bsdtar'], async () => {
      const path = join(folder, `${name}.iso`);
      await ok(judge, command(path), { env: { LC_ALL: 'C.UTF-8' } });
      const found = await readBack(path);
      expect(found).toEqual(folderSnapshot(source));
      expect(found).toEqual(await unpacked(path, 'full'));
    });
  }
});

describe('an image without Rock Ridge reads as bsdtar reads it', () => {
  const args: Record<string, string[]> = {
    'level 1': ['-iso-level', '1'],
    'level 2': ['-iso-level', '2'],
    'level 3': ['-iso-level', '3'],
    'level 4': ['-iso-level', '4'],
    Joliet: ['-J'],
    'long Joliet names': ['-J', '-joliet-long'],
    'relaxed names': ['-U', '-D'],
  };
  for (const [name, flags] of Object.entries(args)) {
    judged(`${name}, written by genisoimage`, ['genisoimage', 'bsdtar'], async () => {
      const path = join(folder, `${name}.iso`);
      await ok('genisoimage', ['-quiet', ...flags, '-o', path, simple]);
      const found = await readBack(path);
      expect(found).toEqual(await unpacked(path, 'plain'));
      expect(found).toEqual(folderSnapshot(simple));
    });
  }

  judged('Joliet in an image that has Rock Ridge too, when it is asked for', ['genisoimage'], async () => {
    const path = join(folder, 'both.iso');
    await ok('genisoimage', ['-quiet', '-R', '-J', '-o', path, simple]);
    for (const namespace of ['rock-ridge', 'joliet', 'plain'] as const) {
      expect(await readBack(path, { namespace })).toEqual(folderSnapshot(simple));
    }
  });

  judged(
    'the primary tree of one with moved directories shows them where they were moved',
    ['genisoimage'],
    async () => {
      const path = join(folder, 'moved.iso');
      await ok('genisoimage', ['-quiet', '-R', '-o', path, source]);
      const bytes = readFileSync(path);
      const plain = await openIsoImage(memory(bytes), { namespace: 'plain' });
      expect(await plain.lookup('RR_MOVED')).toMatchObject({ type: 'dir' });
      expect(await (await openIsoImage(memory(bytes))).lookup('rr_moved')).toBeUndefined();
    },
  );
});

judged('the target of a link that fills several entries is read whole', ['xorriso'], async () => {
  // genisoimage damages such entries, and bsdtar joins them without the slash.
  const [path, input] = [join(folder, 'links.iso'), join(folder, 'links')];
  mkdirSync(input);
  symlinkSync(`${'long-target/'.repeat(30)}end`, join(input, 'far'));
  symlinkSync(`${'y'.repeat(250)}/${'z'.repeat(255)}/..//../x`, join(input, 'long names'));
  await ok('xorriso', ['-outdev', path, '-map', input, '/']);
  expect(await readBack(path)).toEqual(folderSnapshot(input));
});

judged('a compressed file is refused', ['xorriso'], async () => {
  const [path, input] = [join(folder, 'zisofs.iso'), join(folder, 'zisofs')];
  cpSync(simple, input, { recursive: true });
  writeFileSync(join(input, 'zeros'), Buffer.alloc(200_000));
  await ok('xorriso', [
    ...['-outdev', path, '-zisofs', 'level=9', '-map', input, '/'],
    ...['-set_filter_r', '--zisofs', '/', '--'],
  ]);
  await expect(readBack(path)).rejects.toMatchObject({ code: 'iso9660-unsupported' });
});

judged('a device is an entry of another type', ['xorriso'], async () => {
  const [path, input] = [join(folder, 'devices.iso'), join(folder, 'devices')];
  mkdirSync(input);
  await ok('mkfifo', [join(input, 'pipe')]);
  await run('xorriso', ['-outdev', path, '-map', input, '/']);
  const tree = await openIsoImage(memory(readFileSync(path)));
  expect(await tree.lookup('pipe')).toMatchObject({ type: 'other', size: 0, extents: [] });
});

describe('an open image', () => {
  const bytes = imageOf([
    { path: 'b/two', content: '2' },
    { path: 'b/one', content: '1' },
    { path: 'b-a', content: 'not in b' },
    { path: 'a', content: 'first', mode: 0o755 },
    { path: 'ｆ', content: 'a unit above all surrogates' },
    { path: '🚀', content: 'two surrogates' },
  ]);

  const paths = async (start?: string): Promise<string[]> => {
    const tree = await openIsoImage(memory(bytes));
    const found: string[] = [];
    for await (const { path } of tree.walk(start)) found.push(path);
    return found;
  };

  test('walks directories before what they hold, by the bytes of the names', async () => {
    expect(await paths()).toEqual(['a', 'b', 'b/one', 'b/two', 'b-a', 'ｆ', '🚀']);
  });

  test('walks one directory, and nothing below a file or what is not there', async () => {
    expect(await paths('b')).toEqual(['b/one', 'b/two']);
    expect(await paths('a')).toEqual([]);
    expect(await paths('c')).toEqual([]);
  });

  test('finds entries by path, itself by the empty one', async () => {
    const tree = await openIsoImage(memory(bytes));
    expect(await tree.lookup('')).toEqual({ path: '', type: 'dir', size: 0, mode: 0o755, extents: [] });
    expect(await tree.lookup('b/one')).toMatchObject({ path: 'b/one', type: 'file', size: 1, mode: 0o644 });
    expect(await tree.lookup('a')).toMatchObject({ mode: 0o755 });
    for (const path of ['c', 'b/three', 'a/b', '/a', 'b/', '.', '..', 'b/../a', 'b\0', 'x/'.repeat(100)]) {
      expect(await tree.lookup(path), path).toBeUndefined();
    }
  });

  test('has read nothing but descriptors and the first sector of its top', async () => {
    const reads: number[] = [];
    const spy: ReadAt = {
      size: bytes.length,
      read: async (offset, length) => {
        reads.push(offset / 2048);
        return bytes.subarray(offset, offset + length);
      },
    };
    const tree = await openIsoImage(spy);
    expect(reads).toEqual([16, 17, 18, 23]);
    await tree.lookup('b/one');
    await tree.lookup('b/two');
    expect(reads.length).toBe(6);
  });

  test('refuses a tree that is not there', async () => {
    const only = Buffer.from(bytes);
    only.write('%/X', 17 * 2048 + 88);
    await expect(openIsoImage(memory(only), { namespace: 'joliet' })).rejects.toMatchObject({
      code: 'iso9660-unsupported',
    });
    const top = only.readUInt32LE(16 * 2048 + 158) * 2048;
    only.write('XX', top + 34);
    await expect(openIsoImage(memory(only), { namespace: 'rock-ridge' })).rejects.toMatchObject({
      code: 'iso9660-unsupported',
    });
    expect(await openIsoImage(memory(only))).toMatchObject({ namespace: 'plain' });
  });

  test('never looks at the path tables', async () => {
    const damaged = Buffer.from(bytes).fill(0xff, 19 * 2048, 23 * 2048);
    expect(await readSnapshot(damaged, await openIsoImage(memory(damaged)))).toEqual(
      await readSnapshot(bytes, await openIsoImage(memory(bytes))),
    );
  });
});

test('an image is known by the bytes CD001 at 32,769', () => {
  const bytes = imageOf([]);
  expect(sniffImage(bytes.subarray(0, 32_774))).toBe(true);
  expect(sniffImage(bytes.subarray(0, 32_773))).toBe(false);
  expect(sniffImage(new Uint8Array())).toBe(false);
  expect(sniffImage(new Uint8Array(40_000))).toBe(false);
});
