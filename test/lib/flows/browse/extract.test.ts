import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Extracted, extract, type ListedEntry, list } from '../../../../lib/flows/browse/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { archive, entry } from '../../../support/tar.ts';

const folder = scratch('extract');
let number = 0;

/** A tar of entries, and a folder of its own to extract it to. */
function tarOf(...entries: Buffer[]): { path: string; out: string } {
  number += 1;
  const path = join(folder, `${number}.tar`);
  writeFileSync(path, archive(...entries));
  return { path, out: join(folder, `out-${number}`) };
}

function run({ path, out }: { path: string; out: string }, paths: string[] = []): Promise<Extracted> {
  return extract({ archive: path, paths, folder: out }, testFlow());
}

describe('extract', () => {
  test('writes files, folders and links, and their executable bits', async () => {
    const tar = tarOf(
      entry('bin/tool', { body: '#!/bin/sh\n', edit: (block) => block.write('0000755', 100) }),
      entry('etc/text', { body: 'text' }),
      entry('etc/link', { type: '2', link: 'text' }),
      entry('empty/', { type: '5' }),
    );
    expect(await run(tar)).toEqual({ files: 2, bytes: 14 });
    expect(statSync(join(tar.out, 'bin/tool')).mode & 0o111).not.toBe(0);
    expect(statSync(join(tar.out, 'etc/text')).mode & 0o111).toBe(0);
    expect(readlinkSync(join(tar.out, 'etc/link'))).toBe('text');
    expect(lstatSync(join(tar.out, 'empty')).isDirectory()).toBe(true);
  });

  test('writes only what is asked for', async () => {
    const tar = tarOf(entry('a/one', { body: '1' }), entry('a/two', { body: '2' }), entry('b', { body: '3' }));
    await run(tar, ['a/two', 'b']);
    expect(readdirSync(tar.out, { recursive: true }).sort()).toEqual(['a', 'a/two', 'b']);
    await expect(run(tar, ['c'])).rejects.toMatchObject({ code: 'archive-path-missing' });
  });

  test('never overwrites what is there', async () => {
    const tar = tarOf(entry('file', { body: 'new' }));
    mkdirSync(tar.out);
    writeFileSync(join(tar.out, 'file'), 'old');
    await expect(run(tar)).rejects.toMatchObject({ code: 'output-exists' });
    expect(readFileSync(join(tar.out, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(tar.out)).toEqual(['file']);
  });

  test.each([
    ['a path that leads out', entry('../evil', { body: 'x' })],
    ['an absolute path', entry('/evil', { body: 'x' })],
    ['a path that leads out in its middle', entry('a/../../evil', { body: 'x' })],
    ['a link that leads out', entry('evil', { type: '2', link: '../../etc/passwd' })],
    ['an absolute link', entry('evil', { type: '2', link: '/etc/passwd' })],
  ])('refuses %s', async (_, bad) => {
    const tar = tarOf(entry('good', { body: 'x' }), bad);
    await expect(run(tar)).rejects.toMatchObject({ code: expect.stringMatching(/path-escapes|archive-damaged/) });
    expect(existsSync(tar.out)).toBe(false);
    expect(existsSync(join(folder, 'evil'))).toBe(false);
    expect(existsSync('/evil')).toBe(false);
  });

  test('writes nothing through a link, whoever made it', async () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    const tar = tarOf(entry('dir/file', { body: 'x' }));
    mkdirSync(tar.out);
    symlinkSync(outside, join(tar.out, 'dir'));
    await expect(run(tar)).rejects.toMatchObject({ code: 'output-exists' });
    const own = tarOf(entry('dir', { type: '2', link: '.' }), entry('dir/file', { body: 'x' }));
    await expect(run(own)).rejects.toMatchObject({ code: expect.stringMatching(/archive-damaged|output-exists/) });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('leaves nothing behind where it fails half way', async () => {
    const tar = tarOf(entry('whole', { body: 'x' }), entry('cut', { body: 'x'.repeat(4096) }));
    writeFileSync(tar.path, readFileSync(tar.path).subarray(0, 512 * 4));
    await expect(run(tar)).rejects.toMatchObject({ code: 'archive-damaged' });
    expect(existsSync(tar.out)).toBe(false);
  });
});

describe('list', () => {
  judged(
    'tells path, type, size, target and digest of everything in an ISO of another maker',
    ['xorriso'],
    async () => {
      const source = join(folder, 'source');
      mkdirSync(join(source, 'sub'), { recursive: true });
      writeFileSync(join(source, 'sub/hello'), 'hello\n');
      symlinkSync('sub/hello', join(source, 'link'));
      await ok('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-J', '-o', join(folder, 'x.iso'), source]);
      const found: ListedEntry[] = [];
      for await (const line of list({ archive: join(folder, 'x.iso'), path: '', digests: true }, testFlow()))
        found.push(line);
      expect(found).toEqual([
        { path: 'link', type: 'symlink', size: 0, target: 'sub/hello' },
        { path: 'sub', type: 'dir', size: 0 },
        {
          path: 'sub/hello',
          type: 'file',
          size: 6,
          sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
        },
      ]);
    },
  );
});

test('extract names files where there are no hard links too, and leaves what is there', async () => {
  const { link } = promises;
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  };
  Object.assign(promises, { link: refuse });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(promises, { link });
    syncBuiltinESMExports();
  });
  const tar = tarOf(entry('bin/tool', { body: 'tool', edit: (block) => block.write('0000755', 100) }));
  await run(tar);
  expect(readFileSync(join(tar.out, 'bin/tool'), 'utf8')).toBe('tool');
  expect([readdirSync(join(tar.out, 'bin')), statSync(join(tar.out, 'bin/tool')).mode & 0o111]).toEqual([
    ['tool'],
    0o111,
  ]);
  writeFileSync(join(tar.out, 'bin/tool'), 'mine');
  await expect(run(tar)).rejects.toMatchObject({ code: 'output-exists' });
  expect(readFileSync(join(tar.out, 'bin/tool'), 'utf8')).toBe('mine');
});
