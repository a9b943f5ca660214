import { chmod, mkdir, symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTool, freeSpace, openFile, pathFolders, readFile, reasonOf, unwritable } from '../../lib/host.ts';
import { ok, scratch } from '../support/judges.ts';

const folder = scratch('host');
const path = (name: string): string => join(folder, name);

describe('a file that was opened', () => {
  test('is read anywhere, and not beyond its end', async () => {
    await write(path('file'), 'abcdef');
    await using file = await openFile(path('file'));
    expect(file.size).toBe(6);
    expect(Buffer.from(await file.read(2, 3)).toString()).toBe('cde');
    await expect(file.read(4, 3)).rejects.toMatchObject({ code: 'truncated' });
  });

  test('that shrank meanwhile is cut short, not filled up', async () => {
    await write(path('shrinks'), 'abcdef');
    await using file = await openFile(path('shrinks'));
    await write(path('shrinks'), 'ab');
    await expect(file.read(0, 6)).rejects.toMatchObject({ code: 'truncated' });
  });

  test('is refused where it is missing, a folder, a loop or a pipe', async () => {
    await expect(openFile(path('absent'))).rejects.toMatchObject({
      code: 'file-missing',
      subject: path('absent'),
      exit: 2,
    });
    await expect(openFile(folder)).rejects.toMatchObject({ code: 'file-unreadable', message: 'is not a regular file' });
    await symlink('loop', path('loop'));
    await expect(openFile(path('loop'))).rejects.toMatchObject({ message: 'too many symbolic links' });
    await ok('mkfifo', [path('pipe')]);
    await expect(openFile(path('pipe'))).rejects.toMatchObject({ message: 'is not a regular file' });
  });

  test('is read whole only up to a limit', async () => {
    await write(path('small'), 'abc');
    expect(Buffer.from(await readFile(path('small'), 3)).toString()).toBe('abc');
    await expect(readFile(path('small'), 2)).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

test('a full disk is told apart from a place that cannot be written', () => {
  const failed = (code: string): Error => Object.assign(new Error('failed'), { code });
  expect(unwritable('/a', failed('ENOSPC'))).toMatchObject({ code: 'disk-full', exit: 6 });
  expect(unwritable('/a', failed('EROFS'))).toMatchObject({
    code: 'output-unwritable',
    message: 'read-only file system',
  });
  const other = failed('EODD');
  expect(unwritable('/a', other)).toBe(other);
  expect(reasonOf(other)).toBe('failed');
  expect(reasonOf('text')).toBe('text');
});

test('free space is known of folders that exist', async () => {
  expect(await freeSpace(folder)).toBeGreaterThan(0);
  await expect(freeSpace(path('absent'))).rejects.toMatchObject({ code: 'output-unwritable' });
});

describe('a program', () => {
  test('is found in the first folder that has it as something to run', async () => {
    for (const name of ['one', 'two', 'three']) await mkdir(path(name));
    await mkdir(path('one/tool'));
    await write(path('two/tool'), '');
    await write(path('three/tool'), '');
    await chmod(path('three/tool'), 0o755);
    const host = { path: [path('zero'), path('one'), path('two'), path('three')], temp: folder };
    expect(await findTool(host, 'tool', '')).toBe(path('three/tool'));
    await expect(findTool(host, 'other', 'install it')).rejects.toMatchObject({
      code: 'tool-missing',
      subject: 'other',
      hint: 'install it',
    });
    expect(pathFolders('/a::/b')).toEqual(['/a', '/b']);
    expect(pathFolders(undefined)).toEqual([]);
  });
});
