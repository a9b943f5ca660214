import { describe, expect, test } from 'vitest';
import { uninstall } from '../../../../lib/flows/uninstall/index.ts';
import type { UninstallResult } from '../../../../lib/flows/uninstall/result.ts';
import type { ApplyRequest } from '../../../../lib/parts/clusters/kind.ts';
import { griefs, having } from '../../../support/cluster/grief.ts';
import { type ClusterFlow, endsAlikeAtEachCall, runOn } from '../../../support/cluster/grieved-flows.ts';
import { definition, map, stated } from '../../parts/clusters/kubernetes/support.ts';

const noted = { root: undefined, site: undefined, signers: [], archive: undefined, images: [] };
const hook = { 'helm.sh/hook': 'pre-delete' };
const cleaning = stated('batch/v1', 'Job', 'default/clean', {
  spec: { template: { spec: { containers: [{ name: 'clean', image: 'clean' }] } } },
});

const request: ApplyRequest = {
  configuration: 'edge',
  solutions: ['shop', 'extra'].map((name) => ({
    ...{ name, version: '1.0.0', root: undefined },
    components: [
      {
        ...{ name: 'web', after: [], timeout: 60_000 },
        objects: [
          ...(name === 'shop' ? [stated('v1', 'Namespace', 'shop'), definition('Widget')] : []),
          ...(name === 'shop' ? [{ ...cleaning, metadata: { ...cleaning.metadata, annotations: hook } }] : []),
          map(`default/${name}`),
        ],
      },
    ],
  })),
  generation: {
    ...{ cause: 'install', configuration: undefined, keep: 10 },
    solutions: ['shop', 'extra'].map((name) => ({ ...noted, name, version: '1.0.0' })),
  },
};

const removing =
  (name: string): ClusterFlow =>
  (cluster, flow) =>
    uninstall({ cluster, name, keepGenerations: 10 }, flow);

test('a removal runs the hooks of what leaves, and tells what stays and why', async () => {
  const cluster = await having(request);
  const { removed, kept, staying, generation } = (await runOn(cluster, removing('shop'))) as UninstallResult;
  expect({ generation, staying }).toEqual({ generation: 2, staying: [{ name: 'extra', version: '1.0.0' }] });
  expect(removed.flatMap(({ objects }) => objects.map(({ object, action }) => `${action} ${object}`))).toEqual([
    'ran Job default/clean',
    'removed Job default/clean',
    'removed ConfigMap default/shop',
    'kept CustomResourceDefinition widgets.example.com',
    'removed Namespace shop',
  ]);
  expect(kept).toEqual([
    {
      object: 'CustomResourceDefinition widgets.example.com',
      reason: 'its removal would delete every object of its kind',
    },
  ]);
  expect(await runOn(cluster, removing('shop'))).toMatchObject({ removed: [], generation: 2 });
  await expect(runOn(cluster, removing('nobody'))).rejects.toMatchObject({ code: 'solution-unknown' });
});

describe.each(griefs)('where a call of it $name', (grief) => {
  test('a removal is completed by the next one, whichever call it is', async () => {
    expect(await endsAlikeAtEachCall(await having(request), removing('shop'), grief)).toBeGreaterThan(20);
  });
});
