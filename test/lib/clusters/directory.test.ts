import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryTarget, type RenderedSolution } from '../../../lib/clusters/index.ts';
import { testFlow } from '../../support/flow.ts';
import { scratch } from '../../support/judges.ts';

const folder = scratch('directory');

const solution = (...components: string[]): RenderedSolution => ({
  name: 'app',
  version: '1.0.0',
  components: components.map((name) => ({
    name,
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }],
  })),
});

test('writes one file for each component, in the order of application', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${12 - index}`);
  const files = await directoryTarget(join(folder, 'a')).apply(solution(...names), testFlow());
  const found = readdirSync(join(folder, 'a/app')).sort();
  expect(found.map((file) => file.replace(/^\d+-|\.yaml$/g, ''))).toEqual(names);
  expect(files).toEqual(found.map((file) => join(folder, 'a/app', file)));
  expect(readFileSync(files[0]!, 'utf8')).toContain('name: c12');
});

test('replaces what an earlier version left, and leaves other folders alone', async () => {
  const target = directoryTarget(join(folder, 'b'));
  mkdirSync(join(folder, 'b/other'), { recursive: true });
  await target.apply(solution('one', 'two'), testFlow());
  await target.apply(solution('two'), testFlow());
  expect(readdirSync(join(folder, 'b')).sort()).toEqual(['app', 'other']);
  expect(readdirSync(join(folder, 'b/app'))).toEqual(['010-two.yaml']);
});

test('never removes a file that it did not write', async () => {
  mkdirSync(join(folder, 'c/app'), { recursive: true });
  writeFileSync(join(folder, 'c/app/notes.txt'), 'mine');
  await expect(directoryTarget(join(folder, 'c')).apply(solution('one'), testFlow())).rejects.toMatchObject({
    code: 'output-exists',
  });
  expect(readdirSync(join(folder, 'c'))).toEqual(['app']);
  expect(readFileSync(join(folder, 'c/app/notes.txt'), 'utf8')).toBe('mine');
});
