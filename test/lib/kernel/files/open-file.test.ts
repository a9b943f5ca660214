import { symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile, readFile } from '../../../../lib/kernel/files/open-file.ts';
import { ok, scratch } from '../../../support/judges.ts';

const folder = scratch('open-file');
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
