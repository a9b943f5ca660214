import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import type { FileEntry } from '../../../formats/segments.ts';
import { options } from './image.ts';

describe('what is not representable', () => {
  const entry = (path: string, more: Partial<FileEntry> = {}): FileEntry => {
    return { path, size: 1, mode: 0o644, key: path, ...more };
  };
  const refusals: [string, FileEntry[]][] = [
    ['an empty path', [entry('')]],
    ['an absolute path', [entry('/a')]],
    ['a path that ends in a slash', [entry('a/')]],
    ['an empty name', [entry('a//b')]],
    ['a dot as a name', [entry('a/./b')]],
    ['two dots as a name', [entry('../a')]],
    ['NUL in a name', [entry('a\0b')]],
    ['half a character in a name', [entry('a\ud800')]],
    ['a name of 254 bytes', [entry('n'.repeat(254))]],
    ['a path of more than 64 names', [entry(`${'d/'.repeat(64)}f`)]],
    ['a path of more than 4096 bytes', [entry(`${`${'n'.repeat(250)}/`.repeat(17)}f`)]],
    ['a path given twice', [entry('a'), entry('a')]],
    ['a path that is a file and a directory', [entry('a/b'), entry('a')]],
    ['a mode beyond permissions', [entry('a', { mode: 0o4755 })]],
    ['a negative size', [entry('a', { size: -1 })]],
    ['a size that is not whole', [entry('a', { size: 1.5 })]],
    ['a file of more than 100 sections', [entry('a', { size: 101 * (2 ** 32 - 2048) })]],
    ['two sizes of one content', [entry('a', { key: 'k' }), entry('b', { key: 'k', size: 2 })]],
    [
      'a volume of more than 8 TiB',
      Array.from({ length: 25 }, (_, at) => entry(`f${at}`, { size: 2 ** 38 + 2 ** 37 })),
    ],
    ['more than 1,065,535 files and directories', Array.from({ length: 1_065_535 }, () => entry('f'))],
    ['more than 65,535 directories', Array.from({ length: 65_535 }, (_, at) => entry(`${at}/f`, { key: 'one' }))],
    [
      'a thousand names of most of the image',
      Array.from({ length: 1000 }, (_, at) => entry(`f${at}`, { key: 'k', size: 1e9 })),
    ],
  ];

  test.each(refusals)('is refused by name: %s', (_, given) => {
    const attempt = () => layoutImage(given, options);
    expect(attempt).toThrow(FormatError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'iso9660-unrepresentable' }));
  });

  /** Files of a hundred records of 254 bytes each, under the names that a directory has. */
  const wide = (directory: string, count: number): FileEntry[] =>
    Array.from({ length: count }, (_, at) =>
      entry(`${directory}${String(at).padStart(253, 'n')}`, { key: 'k', size: 100 * (2 ** 32 - 2048) }),
    );

  test('is refused by name: a directory of more than 64 MiB', () => {
    expect(() => layoutImage(wide('a/wide/', 2700), options)).toThrow(
      /^cannot write "a\/wide" to an ISO 9660 image: its directory has [\d,.]+ \w+ in the Joliet tree, more than [\d,.]+ \w+$/,
    );
  });

  test('is refused by name: directories of more than 512 MiB together', () => {
    const files = Array.from({ length: 9 }, (_, at) => wide(`d${at}/`, 2550)).flat();
    expect(() => layoutImage(files, options)).toThrow(
      /^cannot write "d8" to an ISO 9660 image: with it the directories of the Joliet tree have more than 512\.0 MiB$/,
    );
  });

  test('is refused by name: a volume identifier that is not in d-characters', () => {
    for (const volumeId of ['', 'lower', 'A'.repeat(33), 'A-B']) {
      expect(() => layoutImage([], { ...options, volumeId })).toThrow('volume identifier');
    }
  });
});

describe('what is just representable', () => {
  const entry = (path: string, more: Partial<FileEntry> = {}): FileEntry => {
    return { path, size: 1, mode: 0o644, key: path, ...more };
  };
  const accepted: [string, FileEntry[]][] = [
    ['a name of 253 bytes', [entry('n'.repeat(253)), entry(`${'é'.repeat(126)}n`)]],
    ['a path of 64 names', [entry(`${'d/'.repeat(63)}f`)]],
    ['a path of 4096 bytes', [entry(`${`${'n'.repeat(250)}/`.repeat(16)}${'f'.repeat(80)}`)]],
    ['a file of 100 sections', [entry('a', { size: 100 * (2 ** 32 - 2048) })]],
    ['a mode of all permissions', [entry('a', { mode: 0o777 }), entry('b', { mode: 0 })]],
  ];

  test.each(accepted)('is written: %s', (_, given) => {
    expect(layoutImage(given, options).size).toBeGreaterThan(0);
  });

  test('is written: a volume of 2^32 - 1 blocks, and no block more', () => {
    const sized = (...sizes: number[]) =>
      layoutImage(
        sizes.map((size, at) => entry(`f${at}`, { size })),
        options,
      ).size;
    const most = [...Array.from({ length: 20 }, () => 100 * (2 ** 32 - 2048)), 190 * 2 ** 30];
    const limit = (2 ** 32 - 1) * 2048;
    const left = limit - sized(...most, 2048);
    expect(left).toBeLessThan(2 ** 32 - 4096);
    expect(sized(...most, 2048 + left)).toBe(limit);
    expect(() => sized(...most, 2048 + left + 1)).toThrow('more than the 8 TiB a volume can have');
  });
});
