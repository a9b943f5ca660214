import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { parseDefinition } from '../../formats/solution/definition.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { run, scratch } from '../support/judges.ts';

const folder = scratch('init');
const home = join(folder, 'My Stack');

const object = (kind: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\n`;
const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
const annotations = 'annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n';

beforeAll(async () => {
  writeFiles(home, {
    'web/Chart.yaml': chart('web'),
    'web/templates/web.yaml': object('Pod'),
    'common/Chart.yaml': chart('common', 'type: library\n'),
    'values-web.yaml': 'replicas: 2\n',
    'notes.yaml': 'just: notes\n',
    'plain/a.yaml': object('ConfigMap'),
    'plain/sub/b.yml': object('Secret'),
    'plain/c.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}',
    'namespace.yaml': object('Namespace'),
    'kustom/base/kustomization.yaml': 'resources: [a.yaml]\n',
    'kustom/base/a.yaml': object('ConfigMap'),
    'kustom/site/kustomization.yaml': 'resources: [../base]\n',
    'operator/manifests/csv.yaml': object('ConfigMap'),
    'operator/metadata/annotations.yaml': annotations,
    'tool/plugin': '#!/bin/sh\n',
    'notes.txt': 'text\n',
    'broken.tar': 'no tar\n',
    '.git/x.yaml': object('ConfigMap'),
  });
  chmodSync(join(home, 'tool/plugin'), 0o755);
  writeFiles(folder, { 'packed/Chart.yaml': chart('packed'), 'packed/templates/a.yaml': object('ConfigMap') });
  await run('tar', ['-czf', join(home, 'packed-1.0.0.tgz'), '-C', folder, 'packed']);
  const image = buildImage({ platforms: ['linux/amd64'], seed: 'init' });
  await writeLayout(join(home, 'images/layout'), [{ name: 'registry.example.com/app:1', image }]);
  await writeLayout(join(folder, 'other'), [{ name: 'registry.example.com/other:1', image }]);
  await run('tar', ['-cf', join(home, 'images/other.tar'), '-C', join(folder, 'other'), '.']);
});

describe('init', () => {
  test('writes a commented definition of all that is in a folder', async () => {
    const result = JSON.parse(await succeeds(['init', home, '--json']));
    expect(jsonSchemas.init.strict().parse(result)).toEqual(result);
    expect(result).toMatchObject({ path: join(home, 'solution.toml'), name: 'my-stack' });
    expect(result.components).toEqual([
      { name: 'site', kind: 'kustomize', path: 'kustom/site' },
      { name: 'operator', kind: 'registry+v1', path: 'operator' },
      { name: 'packed', kind: 'helm', path: 'packed-1.0.0.tgz' },
      { name: 'tool', kind: 'plugin', path: 'tool' },
      { name: 'web', kind: 'helm', path: 'web' },
      { name: 'namespace', kind: 'manifests', path: 'namespace.yaml' },
      { name: 'plain', kind: 'manifests', path: 'plain' },
    ]);
    expect(result.images).toEqual([
      { reference: 'registry.example.com/app:1', source: 'oci:images/layout:registry.example.com/app:1' },
      {
        reference: 'registry.example.com/other:1',
        source: 'oci-archive:images/other.tar:registry.example.com/other:1',
      },
    ]);
    const left = result.left.map(({ path }: { path: string }) => path);
    expect(left.sort()).toEqual(['broken.tar', 'common', 'kustom/base', 'notes.yaml']);
    const text = readFileSync(join(home, 'solution.toml'), 'utf8');
    const { components } = parseDefinition(Buffer.from(text));
    expect(components.find(({ name }) => name === 'web')).toMatchObject({
      values: ['values-web.yaml'],
      namespace: 'web',
    });
    expect(text).toContain('# A bundle of the format registry+v1.');
    expect(text).toMatch(/^# external-images = /m);
  });

  test('refuses to replace one', async () => {
    const { code, stderr } = await solpack(['init', home]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('solution.toml: is there already')]);
  });

  test('tells of a folder that has nothing', async () => {
    writeFiles(folder, { 'empty/README': '' });
    const { code, stderr } = await solpack(['init', join(folder, 'empty')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('[file-missing]')]);
    expect(existsSync(join(folder, 'empty/solution.toml'))).toBe(false);
    const none = await solpack(['init', join(folder, 'none')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('[file-missing]')]);
  });

  test('names no folder as one component of which it left a file out, and says why', async () => {
    const parts = join(folder, 'parts');
    const job = (name: string): string =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: {${name}, namespace: default}\nspec: {template: {spec: {}}}\n`;
    writeFiles(parts, {
      'config/core/a.yaml': object('ConfigMap'),
      'config/core/b.yaml': object('Secret'),
      'config/core/only-comments.yaml': '# nothing yet\n',
      'config/made/job.yaml': job('generateName: cleanup-'),
      'config/typo/c.yaml': object('ConfigMap').replace('x}', 'c}'),
      'config/typo/d.yaml': 'apiVersion: v1\nkind ConfigMap\nmetadata: {name: d}\n',
      'config/hidden/e.yaml': object('ConfigMap').replace('x}', 'e}'),
      'config/hidden/f.yaml': object('Secret').replace('x}', 'f}'),
      'config/hidden/.g.yaml': 'no: manifest\n',
    });
    const { components, left } = JSON.parse(await succeeds(['init', parts, '--json']));
    expect(components.map(({ path }: { path: string }) => path)).toEqual([
      'config/core',
      'config/hidden/e.yaml',
      'config/hidden/f.yaml',
      'config/typo/c.yaml',
    ]);
    expect(Object.fromEntries(left.map(({ path, reason }: Record<string, string>) => [path, reason]))).toEqual({
      'config/core/only-comments.yaml': 'no Kubernetes objects',
      'config/hidden/.g.yaml': 'not looked into',
      'config/made/job.yaml': expect.stringMatching(/^cannot be taken: Job has metadata.generateName and no name/),
      'config/typo/d.yaml': expect.stringMatching(/^cannot be taken: /),
    });
    await succeeds(['check', parts]);
  });

  test('is followed by pack', async () => {
    const hello = join(folder, 'hello');
    await smallSolution(hello);
    await run('rm', [join(hello, 'solution.toml')]);
    expect(await succeeds(['init', hello])).toContain('2 components, 2 images');
    await succeeds(['pack', hello, '-o', join(folder, 'hello.iso')]);
  });
});
