import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLock } from '../../../lib/flows/pack/lock.ts';
import { helm } from '../../../lib/parts/components/helm.ts';
import { kustomize } from '../../../lib/parts/components/kustomize.ts';
import { manifests } from '../../../lib/parts/components/manifests.ts';
import { mendFrom } from '../../../lib/parts/trust/documents.ts';
import { loadPolicy } from '../../../lib/parts/trust/index.ts';
import { readConfiguration } from '../../../lib/shared/solutions/sets/configuration.ts';
import { scratch } from '../../support/judges.ts';
import { plant, specOf } from './components/support.ts';

const folder = scratch('positions');
const mend = '{"type": "solpack-mend/v1", "solutions": 1}';
const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

test.each<[string, string, string, (file: string) => Promise<unknown>, readonly [number, number, number]]>([
  ['a lock', 'solution.lock', 'lockVersion = 2\n', readLock, [1, 1, 15]],
  ['a policy', 'policy.toml', 'version = 1\nkeyz = []\n', loadPolicy, [2, 1, 4]],
  ['a mend', 'mend.json', mend, async (file) => mendFrom(file, Buffer.from(mend)), [1, 29, 14]],
  ['a SolutionsConfiguration', 'c.yaml', 'kind: Solution\narchives: []\n', readConfiguration, [1, 1, 14]],
])('an error about %s tells where in the file it is', async (_, name, content, read, [line, column, length]) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  await expect(read(file)).rejects.toMatchObject({ position: { file, line, column, length } });
});

test.each<[string, string, string, (root: string) => Promise<unknown>, readonly [number, number, number]]>([
  ['values', 'v.yaml', 'a: 1\nb: !x\n', (root) => helm.collect(specOf('helm', root, 'c', ['v.yaml'])), [2, 4, 2]],
  ['a manifest', 'm/sub/a.yaml', 'kind: A\n', (root) => manifests.collect(specOf('manifests', root, 'm')), [1, 1, 7]],
  ['a manifest alone', 'a.yaml', 'b: [', (root) => manifests.collect(specOf('manifests', root, 'a.yaml')), [1, 5, 1]],
  [
    'a kustomization',
    'k/kustomization.yaml',
    'a: !x b',
    (root) => kustomize.collect(specOf('kustomize', root, 'k')),
    [1, 4, 2],
  ],
  ['a chart', 'c/Chart.yaml', `${chart}a: 1\nb: !x\n`, (root) => helm.collect(specOf('helm', root, 'c')), [5, 4, 2]],
])(
  'an error about %s of a component tells the file that its author has',
  async (name, path, content, collect, position) => {
    const root = plant(join(folder, name), { 'c/Chart.yaml': chart, [path]: content });
    const [line, column, length] = position;
    await expect(collect(root)).rejects.toMatchObject({ position: { file: join(root, path), line, column, length } });
  },
);
