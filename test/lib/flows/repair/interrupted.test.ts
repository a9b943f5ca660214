import { describe, expect, test } from 'vitest';
import { repair } from '../../../../lib/flows/repair/index.ts';
import type { ApplyRequest } from '../../../../lib/parts/clusters/kind.ts';
import type { Repair } from '../../../../lib/parts/clusters/presence.ts';
import { griefs, having } from '../../../support/cluster/grief.ts';
import { type ClusterFlow, endsAlikeAtEachCall, runOn } from '../../../support/cluster/grieved-flows.ts';
import type { MemoryCluster } from '../../../support/cluster/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { definition, map, stated } from '../../parts/clusters/kubernetes/support.ts';

const widget = stated('example.com/v1', 'Widget', 'shop/w', { spec: { size: 1 } });
const request: ApplyRequest = {
  configuration: 'shop',
  solutions: [
    {
      ...{ name: 'shop', version: '1.0.0', root: undefined },
      components: [
        {
          ...{ name: 'web', after: [], timeout: 60_000 },
          objects: [stated('v1', 'Namespace', 'shop'), definition('Widget'), widget, map('shop/a'), map('shop/b')],
        },
      ],
    },
  ],
  generation: {
    ...{ cause: 'install', configuration: undefined, keep: 10 },
    solutions: [
      {
        ...{ name: 'shop', version: '1.0.0', root: undefined, site: undefined, signers: [], archive: undefined },
        images: [],
      },
    ],
  },
};

/** A cluster in which somebody has changed a map, removed another one, and a kind with its objects. */
async function drifted(): Promise<MemoryCluster> {
  const cluster = await having(request);
  const { signal } = testFlow();
  const api = cluster.connect();
  await api.apply(map('shop/a', 'another'), { manager: 'somebody', force: true }, signal);
  await api.apply(map('shop/theirs', 'another'), { manager: 'somebody' }, signal);
  cluster.drop({ apiVersion: 'v1', kind: 'ConfigMap', name: 'b', namespace: 'shop' });
  cluster.drop({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', namespace: 'shop' });
  cluster.rest();
  return cluster;
}

const repairs: ClusterFlow = (cluster, flow) => repair({ cluster, name: undefined, configuration: undefined }, flow);

test('a repair puts back what drifted and is gone, tells whose changes it overrode, and then does nothing', async () => {
  const cluster = await drifted();
  const { repaired, left } = (await runOn(cluster, repairs)) as Repair;
  expect(left).toEqual([]);
  expect(repaired.toSorted((a, b) => (a.object < b.object ? -1 : 1))).toEqual([
    {
      ...{ object: 'ConfigMap/shop/a', action: 'changed', restored: [] },
      overrode: [{ manager: 'somebody', fields: ['data.value'] }],
    },
    { object: 'ConfigMap/shop/b', action: 'created', overrode: [], restored: [] },
    { object: 'Widget/shop/w', action: 'created', overrode: [], restored: [] },
  ]);
  const versions = (): string[] =>
    cluster.objects().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
  const before = versions();
  expect(await runOn(cluster, repairs)).toMatchObject({ repaired: [], left: [], generation: 1 });
  expect(versions()).toEqual(before);
});

test('a repair of what did not go well is refused, since nobody knows what should be there', async () => {
  const cluster = await having(request);
  const failing = { ...request, solutions: [{ ...request.solutions[0]!, version: '2.0.0' }] };
  const stopped = new AbortController();
  const flow = { ...testFlow(), signal: stopped.signal };
  // Its run ends once the generation is recorded.
  const onEvent = (event: { type: string; step?: string }): void => {
    if (event.type === 'step' && event.step === 'apply') stopped.abort(new Error('ended'));
  };
  await expect(runOn(cluster, (target) => target.apply(failing, { ...flow, onEvent }), flow)).rejects.toThrow('ended');
  await expect(runOn(cluster, repairs)).rejects.toMatchObject({ code: 'generation-unfinished' });
});

describe.each(griefs)('where a call of it $name', (grief) => {
  test('a repair is completed by the next one, whichever call it is', async () => {
    expect(await endsAlikeAtEachCall(await drifted(), repairs, grief)).toBeGreaterThan(10);
  });
});
