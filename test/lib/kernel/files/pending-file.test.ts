import {
  chmod,
  link,
  mkdir,
  readFile as read,
  readdir,
  rename,
  stat,
  symlink,
  writeFile as write,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bytes, utf8 } from '../../../../formats/bytes.ts';
import { createFile, reopenFile, writeFile, writeNew } from '../../../../lib/kernel/files/pending-file.ts';
import { scratch } from '../../../support/judges.ts';
import { giveAway, neighbourTest } from '../../../support/neighbour.ts';

const folder = scratch('pending-file');
const path = (name: string): string => join(folder, name);

describe('a file in the making', () => {
  test('has its name only once it is committed', async () => {
    await write(path('made'), 'before');
    {
      await using file = await createFile(path('made'), 0o600);
      await file.write(utf8('world'), 6);
      await file.write(utf8('hello '), 0);
      expect(await read(path('made'), 'utf8')).toBe('before');
      await file.commit();
      await file.discard();
    }
    expect(await read(path('made'), 'utf8')).toBe('hello world');
    expect((await stat(path('made'))).mode & 0o777).toBe(0o600);
  });

  test('leaves nothing behind where it is given up', async () => {
    async function* fails(): Bytes {
      yield utf8('a');
      throw new Error('no more');
    }
    await expect(writeFile(path('given-up'), fails())).rejects.toThrow('no more');
    expect((await readdir(folder)).filter((name) => name.startsWith('given-up'))).toEqual([]);
  });

  test('cannot be where there is no folder, or a folder already', async () => {
    await expect(writeFile(path('no/where'), utf8(''))).rejects.toMatchObject({
      code: 'output-unwritable',
      subject: path('no/where'),
    });
    await mkdir(path('taken'));
    await expect(writeFile(path('taken'), utf8(''))).rejects.toMatchObject({ code: 'output-unwritable' });
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('takes the place of one that was left over', async () => {
    await write(path('left.partial'), 'left over, and longer');
    await writeFile(path('left'), utf8('new'));
    expect(await read(path('left'), 'utf8')).toBe('new');
  });

  test('is of its user alone until it has its name, and has the mode that the umask leaves it then', async () => {
    const file = await createFile(path('mode'), 0o755);
    expect((await stat(path('mode.partial'))).mode & 0o777).toBe(0o600);
    await file.commit(false);
    expect((await stat(path('mode'))).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  test('is written by its descriptor, whatever took its name or that of its folder', async () => {
    await mkdir(path('moves/outside'), { recursive: true });
    await mkdir(path('moves/in'));
    await write(path('moves/outside/x.partial'), 'theirs');
    await using file = await createFile(path('moves/in/x'));
    await rename(path('moves/in'), path('moves/aside'));
    await symlink('outside', path('moves/in'));
    await file.write(utf8('mine'), 0);
    expect(await read(file.bytes, 'utf8')).toBe('mine');
    await file.commit();
    expect(await read(path('moves/aside/x'), 'utf8')).toBe('mine');
    expect(await read(path('moves/outside/x.partial'), 'utf8')).toBe('theirs');
    expect(await readdir(path('moves/outside'))).toEqual(['x.partial']);
  });

  test.each([
    ['of another mode', async (partial: string) => chmod(partial, 0o640)],
    ['with a second name', async (partial: string) => link(partial, `${partial}-too`)],
    [
      'that is a link',
      async (partial: string) => {
        await rename(partial, `${partial}-moved`);
        await symlink(`${partial}-moved`, partial);
      },
    ],
  ])('is not gone on with where there is one %s', async (name, change) => {
    const own = path(name.replaceAll(' ', '-'));
    await (await createFile(own)).leave();
    const again = await reopenFile(own);
    expect(again).toBeDefined();
    await again?.leave();
    await change(`${own}.partial`);
    expect(await reopenFile(own)).toBeUndefined();
    await writeFile(own, utf8('new'));
    expect(await read(own, 'utf8')).toBe('new');
    if (name === 'that is a link') expect((await stat(`${own}.partial-moved`)).size).toBe(0);
  });

  neighbourTest('never takes the place of what somebody else has, and does not go on with it', async () => {
    const partial = path('theirs.partial');
    await write(partial, 'theirs', { mode: 0o600 });
    giveAway(partial);
    const refusal = {
      code: 'output-exists',
      subject: partial,
      message: 'belongs to user 65534, and cannot be replaced',
    };
    await expect(reopenFile(path('theirs'))).rejects.toMatchObject(refusal);
    await expect(writeFile(path('theirs'), utf8('mine'))).rejects.toMatchObject(refusal);
    expect(await read(partial, 'utf8')).toBe('theirs');
  });
});

describe('a file that has to be new', () => {
  test('is written with its mode, and never over another', async () => {
    await writeNew(path('fresh'), utf8('secret'), 0o600);
    expect([await read(path('fresh'), 'utf8'), (await stat(path('fresh'))).mode & 0o777]).toEqual(['secret', 0o600]);
    await symlink('nowhere', path('dangling'));
    for (const name of ['fresh', 'dangling']) {
      await expect(writeNew(path(name), utf8('other'), 0o600)).rejects.toMatchObject({ code: 'output-exists' });
    }
    expect(await read(path('fresh'), 'utf8')).toBe('secret');
    expect(await readdir(folder)).not.toContain('nowhere');
  });
});
