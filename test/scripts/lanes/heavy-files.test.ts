import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clusterFiles } from '../../../scripts/lanes/cluster-files.ts';
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

test('the list of files that start a control plane has all of them, but for the heavy ones', () => {
  const starts = /\b(?:sharedControlPlane|controlPlaneTest)\(/;
  const found = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    starts.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.filter((file) => !Object.hasOwn(heavyFiles, file)).sort()).toEqual(clusterFiles);
});
