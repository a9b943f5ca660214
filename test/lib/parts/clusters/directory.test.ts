import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ApplyRequest, directoryTarget, type RenderedSolution } from '../../../../lib/parts/clusters/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('directory');

const solution = (name: string, ...components: string[]): RenderedSolution => ({
  name,
  version: '1.0.0',
  root: undefined,
  components: components.map((component) => ({
    name: component,
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: component } }],
    after: [],
    timeout: 1000,
  })),
});
const request = (...components: string[]): ApplyRequest => ({
  configuration: 'default',
  solutions: [solution('app', ...components)],
});

test('is not a cluster that could be asked', async () => {
  expect(await directoryTarget(join(folder, 'none')).facts(testFlow())).toBeUndefined();
  expect(readdirSync(folder)).not.toContain('none');
});

test('writes one file for each component, in the order of application', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${12 - index}`);
  const { solutions, removed } = await directoryTarget(join(folder, 'a')).apply(request(...names), testFlow());
  const { files, ...rest } = solutions[0]!;
  expect([solutions.length, rest, removed]).toEqual([1, { name: 'app', version: '1.0.0', objects: [] }, []]);
  const found = readdirSync(join(folder, 'a/app')).sort();
  expect(found.map((file) => file.replace(/^\d+-|\.yaml$/g, ''))).toEqual(names);
  expect(files).toEqual(found.map((file) => join(folder, 'a/app', file)));
  expect(readFileSync(files[0]!, 'utf8')).toContain('name: c12');
});

test('writes no file for a component that has no object', async () => {
  const { components, ...rest } = solution('app', 'one', 'none', 'two');
  const some = components.map((component) => (component.name === 'none' ? { ...component, objects: [] } : component));
  const asked = { configuration: 'default', solutions: [{ ...rest, components: some }] };
  const { solutions } = await directoryTarget(join(folder, 'e')).apply(asked, testFlow());
  expect(readdirSync(join(folder, 'e/app')).sort()).toEqual(['010-one.yaml', '030-two.yaml']);
  expect(solutions[0]!.files).toEqual(['010-one.yaml', '030-two.yaml'].map((file) => join(folder, 'e/app', file)));
});

test('replaces what an earlier version left, and leaves other folders alone', async () => {
  const target = directoryTarget(join(folder, 'b'));
  mkdirSync(join(folder, 'b/other'), { recursive: true });
  await target.apply(request('one', 'two'), testFlow());
  await target.apply(request('two'), testFlow());
  expect(readdirSync(join(folder, 'b')).sort()).toEqual(['app', 'other']);
  expect(readdirSync(join(folder, 'b/app'))).toEqual(['010-two.yaml']);
});

test('never removes a file that it did not write', async () => {
  mkdirSync(join(folder, 'c/app'), { recursive: true });
  writeFileSync(join(folder, 'c/app/notes.txt'), 'mine');
  await expect(directoryTarget(join(folder, 'c')).apply(request('one'), testFlow())).rejects.toMatchObject({
    code: 'output-exists',
  });
  expect(readdirSync(join(folder, 'c'))).toEqual(['app']);
  expect(readFileSync(join(folder, 'c/app/notes.txt'), 'utf8')).toBe('mine');
});

test('writes and removes nothing by a link in the place of a rendered folder', async () => {
  mkdirSync(join(folder, 'f'));
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside/010-one.yaml'), 'theirs');
  symlinkSync('../outside', join(folder, 'f/app'));
  const outcome = directoryTarget(join(folder, 'f')).apply(request('one'), testFlow());
  await expect(outcome).rejects.toMatchObject({ code: 'output-exists', subject: join(folder, 'f/app') });
  expect(readFileSync(join(folder, 'outside/010-one.yaml'), 'utf8')).toBe('theirs');
  expect(readdirSync(join(folder, 'f'))).toEqual(['app']);
});

test('writes every Solution of a request, and leaves those of an earlier one', async () => {
  const target = directoryTarget(join(folder, 'd'));
  await target.apply(request('one'), testFlow());
  const { solutions } = await target.apply(
    { configuration: 'default', solutions: [solution('b', 'x'), solution('c', 'y')] },
    testFlow(),
  );
  expect(solutions.map(({ name }) => name)).toEqual(['b', 'c']);
  expect(readdirSync(join(folder, 'd')).sort()).toEqual(['app', 'b', 'c']);
});
