import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heavyFiles, mainPath } from '../../../scripts/lanes/heavy-files.ts';

const root = join(import.meta.dirname, '../../..');
const lacking = (paths: readonly string[]): readonly string[] => paths.filter((path) => !existsSync(join(root, path)));

describe('the table of heavy files', () => {
  test('names files that exist, and watches paths that exist', () => {
    expect(lacking(Object.keys(heavyFiles))).toEqual([]);
    expect(lacking(Object.values(heavyFiles).flatMap(({ watches }) => watches))).toEqual([]);
  });

  test('has every file that needs a node or the kernel, but for the main path on a node', () => {
    const all = ['node', 'kernel'].flatMap((lane) =>
      readdirSync(join(root, 'test', lane))
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `test/${lane}/${name}`),
    );
    expect(all.filter((file) => !Object.hasOwn(heavyFiles, file)).sort()).toEqual([...mainPath].sort());
  });
});
