import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/object.ts';
import type { ForeseenAction } from '../../../../../../../lib/kernel/plan/foreseen.ts';
import type { ApplyRequest, RenderedSolution } from '../../../../../../../lib/parts/clusters/kind.ts';
import { foreseeRequest } from '../../../../../../../lib/parts/clusters/kubernetes/apply/apply-request.ts';
import type { KubernetesApi } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { applyTo, prompt, type Told, versionsOf } from '../../../../../../support/cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { component, definition, map, solution, stated } from '../../support.ts';
import { withHook } from '../hooks/support.ts';

const space = (name: string): KubernetesObject => stated('v1', 'Namespace', name);
const asking = (...solutions: readonly RenderedSolution[]): ApplyRequest => ({ configuration: 'here', solutions });
const shop = (...objects: readonly KubernetesObject[]): ApplyRequest =>
  asking(solution('shop', component('all', ...objects)));

const foresee = (cluster: MemoryCluster, request: ApplyRequest, api: KubernetesApi = cluster.connect()) =>
  foreseeRequest(request, { api, flow: testFlow(), timing: prompt, force: false });

const past: Readonly<Record<string, string>> = {
  create: 'created',
  change: 'changed',
  replace: 'replaced',
  remove: 'removed',
  keep: 'kept',
  run: 'ran',
};

const saidIn = (actions: readonly ForeseenAction[]): string[] =>
  actions.map(({ subject, action }) => `${past[action]} ${subject}`);

/** What an apply did, in its order: what it brought, and then what it removed. */
function didIn({ result, error }: Told): string[] {
  if (result === undefined) throw error;
  const objects = [...result.solutions, ...result.removed].flatMap((one) => one.objects);
  const lines = objects
    .filter(({ action }) => action !== 'unchanged')
    .map(({ object, action }) => {
      return `${action} ${object.replace(' ', '/')}`;
    });
  return lines;
}

/** Brings `first` about, and makes sure that what is foreseen of `then` changes nothing, and is done. */
async function comesTrue(first: ApplyRequest, then: ApplyRequest): Promise<readonly ForeseenAction[]> {
  const cluster = memoryCluster();
  await applyTo(cluster.connect(), first);
  cluster.rest();
  const before = versionsOf(cluster);
  const { actions } = await foresee(cluster, then);
  expect(versionsOf(cluster)).toEqual(before);
  const told = await applyTo(cluster.connect(), then);
  expect(saidIn(actions).sort()).toEqual(didIn(told).sort());
  cluster.rest();
  const again = await foresee(cluster, then);
  expect(saidIn(again.actions).filter((line) => !line.startsWith('kept'))).toEqual([]);
  return actions;
}

const nothing = asking();
const workload = (place: string, image: string, more: object = {}): KubernetesObject => {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image }] } };
  return stated('apps/v1', 'Deployment', place, {
    spec: { replicas: 2, selector: { matchLabels: labels }, template, ...more },
  });
};
const kept = (place: string): KubernetesObject => {
  const object = map(place);
  return { ...object, metadata: { ...object.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } };
};
const hookOf = (place: string, events: string, version = '1'): KubernetesObject =>
  withHook(map(place, version), events);

describe('what is foreseen of an apply', () => {
  test('names objects by their kinds, namespaces and names, in the order of the apply', async () => {
    const actions = await comesTrue(
      nothing,
      shop(map('shop/a'), space('shop'), definition('Foo'), hookOf('shop/h', 'pre-install')),
    );
    expect(saidIn(actions)).toEqual([
      'created Namespace/shop',
      'created CustomResourceDefinition/foos.example.com',
      'ran ConfigMap/shop/h',
      'created ConfigMap/shop/a',
    ]);
  });

  test('has the fields that change, and no value of a Secret', async () => {
    const secret = (value: string): KubernetesObject => stated('v1', 'Secret', 'default/s', { stringData: { value } });
    const actions = await comesTrue(
      shop(map('default/a'), secret('hidden')),
      shop(map('default/a', '2'), secret('shown')),
    );
    expect(actions.map(({ subject, changes }) => [subject, changes])).toEqual([
      ['ConfigMap/default/a', [{ path: 'data.value', from: '1', to: '2' }]],
      ['Secret/default/s', [{ path: 'data.value' }]],
    ]);
    expect(actions[1]!.hidden).toEqual([{ path: 'data.value', from: btoa('hidden'), to: btoa('shown') }]);
  });

  test('counts the Pods of a workload that start again, and no others', async () => {
    const both = (image: string, more: object = {}): ApplyRequest =>
      shop(workload('default/rolled', image), workload('default/scaled', 'app:1', more));
    const actions = await comesTrue(both('app:1'), both('app:2', { minReadySeconds: 5 }));
    expect(actions.map(({ subject, restarts }) => [subject, restarts])).toEqual([
      ['Deployment/default/rolled', 2],
      ['Deployment/default/scaled', undefined],
    ]);
  });

  test('says why something is kept: for what it holds, and for what others have in a namespace', async () => {
    const actions = await comesTrue(shop(space('shop'), kept('shop/data'), map('shop/a')), nothing);
    expect(actions.map(({ subject, action, reason = '' }) => [subject, action, reason])).toEqual([
      ['ConfigMap/shop/a', 'remove', ''],
      ['ConfigMap/shop/data', 'keep', expect.stringContaining('annotation helm.sh/resource-policy')],
      ['Namespace/shop', 'keep', expect.stringContaining('ConfigMap data')],
    ]);
  });

  test('knows that a namespace goes with all that is removed from it, and stays with what is brought into it', async () => {
    const both = asking(
      solution('shop', component('all', space('shop'), map('shop/a'), workload('shop/web', 'app:1'))),
      solution('other', component('all', map('default/b'))),
    );
    const gone = await comesTrue(both, asking(solution('other', component('all', map('default/b')))));
    expect(saidIn(gone).at(-1)).toBe('removed Namespace/shop');
    const used = await comesTrue(both, asking(solution('other', component('all', map('shop/b')))));
    expect(used.at(-1)).toMatchObject({
      subject: 'Namespace/shop',
      action: 'keep',
      reason: 'other brings ConfigMap b into it',
    });
  });

  test('has the hooks of what is upgraded and of what is removed, and tests where they are asked for', async () => {
    const one = (version: string): ApplyRequest =>
      shop(
        map('default/a', version),
        hookOf('default/up', 'pre-upgrade,post-upgrade'),
        hookOf('default/down', 'pre-delete'),
      );
    const upgraded = await comesTrue(one('1'), one('2'));
    expect(upgraded.map(({ subject, event }) => [subject, event])).toEqual([
      ['ConfigMap/default/up', 'pre-upgrade'],
      ['ConfigMap/default/a', undefined],
      ['ConfigMap/default/up', 'post-upgrade'],
    ]);
    const removed = await comesTrue(one('1'), nothing);
    expect(removed[0]).toMatchObject({ subject: 'ConfigMap/default/down', action: 'run', event: 'pre-delete' });
    const tested = { ...shop(map('default/a'), hookOf('default/t', 'test')), test: true };
    expect((await foresee(memoryCluster(), tested)).actions.at(-1)).toMatchObject({ action: 'run', event: 'test' });
  });

  test('comes true whatever was there before', async () => {
    const objects = [
      space('one'),
      definition('Foo'),
      ...['default/a', 'default/b'].flatMap((place) => [map(place), map(place, '2')]),
      ...['1', '2'].map((image) => workload('default/web', `app:${image}`)),
      kept('default/data'),
      hookOf('default/h', 'pre-install,post-upgrade'),
      hookOf('default/d', 'post-delete'),
    ];
    const part = fc.uniqueArray(fc.constantFrom(...objects), {
      selector: ({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`,
      maxLength: 5,
    });
    const request = fc.tuple(part, part).map(([one, two]) => {
      const names = new Set(one.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
      const rest = two.filter(({ kind, metadata }) => !names.has(`${kind} ${metadata.name}`));
      const solutions = [one, rest].flatMap((all, index) =>
        all.length === 0 ? [] : [solution(`s${index}`, component('all', ...all))],
      );
      return asking(...solutions);
    });
    await fc.assert(
      fc.asyncProperty(request, request, async (first, then) => void (await comesTrue(first, then))),
      { numRuns: 60 },
    );
  });
});

describe('an apply that was confirmed', () => {
  test('does what was foreseen', async () => {
    const cluster = memoryCluster();
    const { actions } = await foresee(cluster, shop(map('default/a')));
    const { result } = await applyTo(cluster.connect(), { ...shop(map('default/a')), confirmed: actions });
    expect(result).toBeDefined();
  });

  test('does nothing where the cluster has changed since', async () => {
    const cluster = memoryCluster();
    await applyTo(cluster.connect(), shop(map('default/a')));
    const then = shop(map('default/a', '2'), map('default/b'));
    const { actions } = await foresee(cluster, then);
    await cluster.connect().apply(map('default/b'), { manager: 'other' }, new AbortController().signal);
    const before = versionsOf(cluster);
    const { error } = await applyTo(cluster.connect(), { ...then, confirmed: actions });
    expect(error).toMatchObject({ code: 'plan-outdated', subject: 'ConfigMap/default/b' });
    const after = Object.entries(versionsOf(cluster)).filter(([place]) => !place.startsWith('Lease'));
    expect(after).toEqual(Object.entries(before));
  });
});
