import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderTree } from '../../../../lib/kernel/files/folder-tree.ts';
import { holdFolder, mayOthersChange } from '../../../../lib/kernel/files/held-folder.ts';
import { scratch } from '../../../support/judges.ts';
import { giveAway, neighbourTest } from '../../../support/neighbour.ts';

const root = scratch('held-folder');
let number = 0;

/** A folder of its own, with folders in it. */
function place(...folders: string[]): string {
  number += 1;
  const path = join(root, String(number));
  for (const folder of ['', ...folders]) mkdirSync(join(path, folder), { recursive: true });
  return path;
}

describe('a folder that is held', () => {
  test('is where things are done, wherever it goes, and whatever takes its place', async () => {
    const path = place('in', 'outside');
    await using held = await holdFolder(join(path, 'in'));
    renameSync(held.path, join(path, 'moved'));
    symlinkSync('outside', held.path);
    await fs.writeFile(held.at('file'), 'here');
    await (await held.enter('folder', true)).close();
    expect(await held.names()).toEqual(['file', 'folder']);
    await held.remove('folder');
    await using again = await held.again();
    await fs.unlink(again.at('file'));
    await fs.writeFile(again.at('other'), 'here');
    expect(readdirSync(join(path, 'moved'))).toEqual(['other']);
    expect(readdirSync(join(path, 'outside'))).toEqual([]);
  });

  test('is never left by a link, nor by a name that is none', async () => {
    const path = place('in', 'outside');
    writeFileSync(join(path, 'outside/file'), 'theirs');
    symlinkSync('../outside', join(path, 'in/folder'));
    symlinkSync('../outside/file', join(path, 'in/file'));
    await using held = await holdFolder(join(path, 'in'));
    await expect(held.enter('folder')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(held.enter('folder', true)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(held.open('file', fs.constants.O_RDONLY)).rejects.toMatchObject({ code: 'ELOOP' });
    for (const name of ['', '.', '..', 'a/b', '/etc']) expect(() => held.at(name)).toThrow('is not a name');
  });

  test('is removed with all that is in it, and nothing that links lead to', async () => {
    const path = place('in/a/b/c', 'outside');
    writeFileSync(join(path, 'in/a/b/file'), '');
    writeFileSync(join(path, 'outside/file'), '');
    symlinkSync('../../outside', join(path, 'in/a/link'));
    await using held = await holdFolder(join(path, 'in'));
    await held.remove('a');
    await held.remove('absent');
    expect(await held.names()).toEqual([]);
    expect(readdirSync(join(path, 'outside'))).toEqual(['file']);
  });

  test('is found by links of its user, relative and absolute, and made where that is asked for', async () => {
    const path = place('a/b', 'c');
    symlinkSync('../a/b/../b', join(path, 'c/link'));
    symlinkSync(join(path, 'c'), join(path, 'absolute'));
    await using held = await holdFolder(join(path, 'absolute/link/new/newer'), true);
    await fs.writeFile(held.at('file'), '');
    expect(existsSync(join(path, 'a/b/new/newer/file'))).toBe(true);
  });

  test('is none where there is nothing, a file or a loop', async () => {
    const path = place();
    writeFileSync(join(path, 'file'), '');
    symlinkSync('loop', join(path, 'loop'));
    await expect(holdFolder(join(path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(holdFolder(join(path, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(holdFolder(join(path, 'file/in'), true)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(holdFolder(join(path, 'loop'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  neighbourTest('is found by a link of somebody else only where it is theirs', async () => {
    const path = place('theirs/own', 'mine');
    symlinkSync('own', join(path, 'theirs/good'));
    symlinkSync('../mine', join(path, 'theirs/bad'));
    symlinkSync('theirs/own', join(path, 'shared'));
    symlinkSync('mine', join(path, 'led'));
    giveAway(...['theirs', 'theirs/own', 'theirs/good', 'shared', 'led'].map((name) => join(path, name)));
    for (const name of ['theirs/good', 'shared']) await (await holdFolder(join(path, name))).close();
    // Root has made the first of these, but whoever has its folder may have moved it there.
    for (const name of ['theirs/bad', 'led', 'led/new', 'theirs/bad/new']) {
      await expect(holdFolder(join(path, name), true)).rejects.toMatchObject({ code: 'path-escapes' });
    }
    expect(readdirSync(join(path, 'mine'))).toEqual([]);
  });
});

describe('a tree of folders', () => {
  test('is made as it is asked for, in any order and to any depth, with few descriptors', async () => {
    const path = place();
    const made: string[] = [];
    const deep = Array.from({ length: 100 }, (_, at) => `d${at}`).join('/');
    const before = readdirSync('/proc/self/fd').length;
    {
      await using tree = folderTree(await holdFolder(path), (name) => made.push(name));
      for (const at of [deep, 'a/b', `${deep}/more`, `${deep}/more`, 'a/c', '', `${deep}/other`, '.']) {
        const folder = await tree.at(at);
        await fs.writeFile(folder.at(`file-${made.length}`), '');
        expect(readdirSync('/proc/self/fd').length - before).toBeLessThan(45);
      }
      await expect(tree.at('a/none', false)).rejects.toMatchObject({ code: 'output-unwritable' });
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    expect(made.slice(100)).toEqual(['a', 'a/b', `${deep}/more`, 'a/c', `${deep}/other`]);
    expect(readdirSync(join(path, deep)).sort()).toEqual(['file-100', 'more', 'other']);
    expect(readdirSync(path).sort()).toEqual(['a', 'd0', 'file-104', 'file-105']);
  });

  test('has nothing made in what took the place of a folder', async () => {
    const path = place('in', 'outside');
    await using tree = folderTree(await holdFolder(join(path, 'in')));
    await tree.at('a/b');
    await tree.at('');
    renameSync(join(path, 'in/a'), join(path, 'in/aside'));
    symlinkSync('../outside', join(path, 'in/a'));
    await expect(tree.at('a/c')).rejects.toMatchObject({ code: 'output-exists', subject: join(path, 'in/a') });
    expect(readdirSync(join(path, 'outside'))).toEqual([]);
  });
});

test('who may have a name stand for something else is reported by owner, group, mode and the sticky bit', () => {
  const uid = process.geteuid!();
  const verdicts = [0o755, 0o700, 0o1777, 0o775, 0o757].map((mode) => mayOthersChange({ uid, gid: 1000, mode }));
  expect(verdicts).toEqual([false, false, false, true, true]);
  expect([0o775, 0o757].map((mode) => mayOthersChange({ uid, gid: 0, mode }))).toEqual([false, true]);
  expect([uid, 0, uid + 1].map((owner) => mayOthersChange({ uid: owner, gid: 1000, mode: 0o755 }))).toEqual([
    false,
    false,
    true,
  ]);
});
