import { existsSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { diskFor, requireFits } from '../../../../lib/kernel/machine/disk.ts';
import { beginArchive, type Catalog, carriers, openArchive } from '../../../../lib/parts/archives/index.ts';
import { smallSolution, succeeds } from '../../../support/cli.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('disk');
const LARGEST = 4_294_967_295;

const { statfs } = promises;

/** Lets every disk be of a kind, and have 16 TiB free, with room for as many of its files. */
function formatAs(type: number, files = 0, ffree = 0): void {
  const told = async () => ({ type, bavail: 2 ** 32, bsize: 4096, files, ffree });
  Object.assign(promises, { statfs: told });
  syncBuiltinESMExports();
}

afterEach(() => {
  Object.assign(promises, { statfs });
  syncBuiltinESMExports();
});

test('room is there for what is no larger than what is free, in folders that exist', async () => {
  await requireFits(join(folder, 'file'), 1);
  await requireFits(join(folder, 'file'), 2 ** 53 - 1, 2 ** 53 - 2);
  await expect(requireFits(join(folder, 'file'), 2 ** 53 - 1)).rejects.toMatchObject({ code: 'disk-full' });
  await expect(requireFits(join(folder, 'absent/file'), 1)).rejects.toMatchObject({ code: 'output-unwritable' });
});

test('what is told of a disk is that of the nearest folder that exists', async () => {
  const real = await diskFor(join(folder, 'not/there/yet'));
  expect(real?.free).toBeGreaterThan(0);
  formatAs(0xef53, 100, 1);
  expect(await diskFor(folder)).toEqual({ free: 2 ** 44, isOutOfFiles: false });
  formatAs(0xef53, 100);
  expect(await diskFor(folder)).toEqual({ free: 2 ** 44, isOutOfFiles: true });
  formatAs(0x4d44);
  expect(await diskFor(folder)).toEqual({ free: 2 ** 44, largest: LARGEST, isOutOfFiles: false });
});

describe('on FAT32', () => {
  test('no file has more than 4 GiB - 1, and on other file systems one may', async () => {
    formatAs(0x4d44);
    const path = join(folder, 'archive.iso');
    await requireFits(path, LARGEST);
    await expect(requireFits(path, LARGEST + 1)).rejects.toMatchObject({
      code: 'output-unwritable',
      message: expect.stringMatching(/needs 4,294,967,296 B, but its disk is formatted as FAT32/),
      hint: expect.stringContaining('exFAT'),
    });
    formatAs(0xef53);
    await requireFits(path, LARGEST + 1);
  });

  test.each(['iso', 'tar'] as const)(
    'an archive that is larger is refused before anything is written: %s',
    async (format) => {
      await smallSolution(join(folder, format));
      const small = join(folder, `${format}.${format}`);
      await succeeds(['pack', join(folder, format), '-o', small]);
      await using archive = await openArchive(small);
      const large = grown(archive.catalog);
      formatAs(0x4d44);
      const path = join(folder, `large.${format}`);
      await expect(beginArchive(path, large, carriers[format])).rejects.toMatchObject({ code: 'output-unwritable' });
      expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
    },
  );
});

/** The catalog of a Solution one of whose layers has 4 GiB more. */
function grown(catalog: Catalog): Catalog {
  const [layer] = catalog.imageBlobs;
  const contents = catalog.contents.map((one) =>
    one.digest === layer?.digest ? { ...one, size: one.size + 2 ** 32 } : one,
  );
  return { ...catalog, contents };
}
