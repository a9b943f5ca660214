import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { fileAt, listFiles, locateFile } from '../../../../lib/parts/components/files.ts';
import { scratch } from '../../../support/judges.ts';
import { plant } from './support.ts';

const folder = scratch('components-files');

describe('listFiles', () => {
  test('lists every file in byte order with the mode an archive gives it, and leaves out .git', async () => {
    const root = plant(join(folder, 'order'), {
      'a/b.yaml': 'x',
      'a.yaml': 'xx',
      'ä.yaml': 'x',
      'run.sh': { program: 'x' },
      '.git/config': 'x',
      '.hidden': 'x',
    });
    chmodSync(join(root, 'a.yaml'), 0o600);
    const files = await listFiles(root, root);
    expect(files.map(({ path, mode, size }) => `${path} ${mode.toString(8)} ${size}`)).toEqual([
      '.hidden 644 1',
      'a.yaml 644 2',
      'a/b.yaml 644 1',
      'run.sh 755 1',
      'ä.yaml 644 1',
    ]);
  });

  test('replaces links by what they point to, as long as that lies in the root', async () => {
    const root = plant(join(folder, 'links'), {
      'common/common.yaml': 'shared',
      'component/folder': { link: '../common' },
      'component/file.yaml': { link: '../common/common.yaml' },
    });
    const files = await listFiles(root, join(root, 'component'));
    expect(files.map(({ path }) => path)).toEqual(['file.yaml', 'folder/common.yaml']);
    expect(Buffer.from(await collect(files[1]!.open(), 100)).toString()).toBe('shared');
  });

  test.each([
    ['leads out of the root', { a: { link: '/etc/passwd' } }, 'component-invalid', 'leads out'],
    ['leads out of it by ..', { 'b/a': { link: '../../outside.txt' } }, 'component-invalid', 'leads out'],
    ['points to nothing', { a: { link: 'nowhere' } }, 'component-invalid', 'points to nothing'],
    ['points to itself', { a: { link: 'a' } }, 'component-invalid', 'points to nothing'],
    ['leads back to a folder above', { 'b/c/back': { link: '..' } }, 'component-invalid', 'contain themselves'],
  ])('refuses a link that %s', async (name, files, code, message) => {
    writeFileSync(join(folder, 'outside.txt'), '');
    const root = plant(join(folder, name), files);
    await expect(listFiles(root, root)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('refuses pipes and sockets without opening them', async () => {
    const root = plant(join(folder, 'pipes'), { 'a.yaml': 'x' });
    expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0);
    await expect(listFiles(root, root)).rejects.toMatchObject({ code: 'component-invalid' });
    expect(await listFiles(root, root, { skip: (path) => path === 'pipe' })).toHaveLength(1);
  });

  test('stops when it is told to', async () => {
    mkdirSync(join(folder, 'stop'));
    await expect(
      listFiles(folder, join(folder, 'stop'), { signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop');
  });
});

test('locate names what is missing', async () => {
  await expect(locateFile(folder, join(folder, 'missing'))).rejects.toMatchObject({ code: 'file-missing' });
});

test('a file that changes its size while it is packed is an error', async () => {
  const path = join(folder, 'growing');
  writeFileSync(path, 'one');
  const file = fileAt(path, 'growing', (await locateFile(folder, path)).stats);
  writeFileSync(path, 'more than one');
  await expect(collect(file.open(), 100)).rejects.toMatchObject({ code: 'file-unreadable' });
});
