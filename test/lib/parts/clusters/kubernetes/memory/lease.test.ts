import { expect, test } from 'vitest';
import { ownRun } from '../../../../../../lib/kernel/machine/runs.ts';
import { HOME } from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import type { KubernetesApi } from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { textAt } from '../../../../../../lib/parts/clusters/kubernetes/server/object-path.ts';
import { applyTo } from '../../../../../support/cluster/applying.ts';
import { disturbed } from '../../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../support/cluster/index.ts';
import { eventually } from '../../../../../support/until.ts';
import { component, map, solution, stated } from '../support.ts';

const { signal } = new AbortController();
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: 'configuration-here', namespace: HOME };
const request = { configuration: 'here', solutions: [solution('one', component('all', map('default/a')))] };
/** A run of a process of this machine that has ended, and one that nobody here knows anything of. */
const ended = `here/1-0-${ownRun().split('-')[2]}/ab`;
const elsewhere = 'elsewhere/4711-1-00000000/ab';

/** Milliseconds that a run may be silent for which goes on: longer than a busy machine lets a process wait. */
const LONG = 3_000;

/** A cluster in which the Lease is held. */
async function held(by: string): Promise<{ cluster: MemoryCluster; hold: (holder: string) => Promise<void> }> {
  const cluster = memoryCluster();
  const api = cluster.connect();
  await api.apply(stated('v1', 'Namespace', HOME), {}, signal);
  const hold = async (holderIdentity: string): Promise<void> => {
    const spec = { holderIdentity, acquireTime: '2030-01-01T00:00:00.000000Z', renewTime: new Date().toISOString() };
    const object = stated('coordination.k8s.io/v1', 'Lease', `${HOME}/${lease.name}`, { spec });
    await api.apply(object, { manager: 'somebody', force: true }, signal);
  };
  await hold(by);
  return { cluster, hold };
}

/** Does something at the moment when the ConfigMap of the request is about to be applied. */
function whenApplying(api: KubernetesApi, work: (own: AbortSignal) => Promise<void>): KubernetesApi {
  const apply: KubernetesApi['apply'] = async (object, options, own) => {
    if (object.metadata.name === 'a' && !options.dryRun) await work(own);
    return api.apply(object, options, own);
  };
  return { ...api, apply };
}

const holder = async (cluster: MemoryCluster): Promise<string> =>
  textAt(await cluster.connect().read(lease, signal), 'spec', 'holderIdentity');

test('the Lease of a run that has ended is taken over at once, and is gone afterwards', async () => {
  const { cluster } = await held(ended);
  const { actions, events } = await applyTo(cluster.connect(), request);
  expect(actions).toEqual({ 'ConfigMap default/a': 'created' });
  expect(events.filter((event) => event.startsWith('wait '))).toEqual([]);
  expect(await cluster.connect().read(lease, signal)).toBeUndefined();
});

test('a run whose answer to taking it over is lost knows that the Lease is its own', async () => {
  const { cluster } = await held(ended);
  const api = disturbed(cluster.connect(), ({ verb, subject }) => {
    return verb === 'apply' && subject.startsWith('Lease ') ? 'repeated' : undefined;
  });
  const { actions, events } = await applyTo(api, request);
  expect(actions).toEqual({ 'ConfigMap default/a': 'created' });
  expect(events.filter((event) => event.startsWith('wait '))).toEqual([]);
});

test('a run of which nobody knows whether it has ended is waited for until it has said nothing for long enough', async () => {
  const { cluster } = await held(elsewhere);
  const { actions, events } = await applyTo(cluster.connect(), request, { timing: { lease: 50 } });
  expect(actions).toEqual({ 'ConfigMap default/a': 'created' });
  expect(events.filter((event) => event.startsWith('wait '))).toEqual([
    'wait process 4711 of elsewhere is applying the configuration here, or was killed',
  ]);
});

test('a run that gives a sign of life keeps others away', async () => {
  const { cluster, hold } = await held(elsewhere);
  const api = cluster.connect();
  let reads = 0;
  const read: KubernetesApi['read'] = async (name, own) => {
    if (name.kind === 'Lease') reads += 1;
    if (name.kind === 'Lease' && reads === 3) await hold(elsewhere);
    return api.read(name, own);
  };
  const { error } = await applyTo({ ...api, read }, request);
  expect(error).toMatchObject({
    code: 'configuration-busy',
    subject: 'configuration here',
    message: 'process 4711 of elsewhere has been applying it since 2030-01-01T00:00:00Z',
  });
  expect(await holder(cluster)).toBe(elsewhere);
});

test('of two that come at once one is refused, or both are done one after another', async () => {
  const cluster = memoryCluster();
  const told = await Promise.all([1, 2, 3].map(() => applyTo(cluster.connect(), request)));
  const codes = told.map(({ error, actions }) => error?.code ?? actions['ConfigMap default/a']);
  expect(codes).toContain('created');
  expect(codes.filter((code) => code !== 'created')).not.toContain('changed');
  expect(await cluster.connect().read(lease, signal)).toBeUndefined();
});

test('a Lease is renewed as long as its run takes', async () => {
  const cluster = memoryCluster();
  const times = new Set<string>();
  const api = whenApplying(cluster.connect(), async () => {
    await eventually(
      async () => times.add(textAt(await cluster.connect().read(lease, signal), 'spec', 'renewTime')).size,
    ).toBeGreaterThan(2);
  });
  expect((await applyTo(api, request, { timing: { lease: LONG } })).actions).toEqual({
    'ConfigMap default/a': 'created',
  });
});

test('a run goes on where a renewal is not answered, since nobody else can take over either', async () => {
  const cluster = memoryCluster();
  let renewals = 0;
  const inner = disturbed(cluster.connect(), ({ verb, subject }) => {
    if (verb === 'apply' && subject.startsWith('Lease ')) renewals += 1;
    return renewals === 2 ? 'unheard' : undefined;
  });
  const api = whenApplying(inner, () => eventually(() => renewals).toBeGreaterThan(3));
  expect((await applyTo(api, request, { timing: { lease: LONG } })).actions).toEqual({
    'ConfigMap default/a': 'created',
  });
});

test('a run stops where its Lease is gone, since another one may have had it and have ended', async () => {
  const cluster = memoryCluster();
  const api = whenApplying(cluster.connect(), async (own) => {
    cluster.drop(lease);
    await over(own);
  });
  const { error } = await applyTo(api, request, { timing: { lease: 60 } });
  expect(error).toMatchObject({
    code: 'configuration-busy',
    message: `somebody removed Lease ${HOME}/configuration-here during this run`,
  });
  expect(await cluster.connect().read(lease, signal)).toBeUndefined();
});

test('a run that hung for longer than its Lease lasts finds out before its next change that another one had it', async () => {
  const cluster = memoryCluster();
  const connected = cluster.connect();
  const read: KubernetesApi['read'] = async (name, own) => {
    const live = await connected.read(name, own);
    if (name.kind !== 'Lease' && (await connected.read(lease, own)) !== undefined) {
      cluster.drop(lease);
      // Nothing of this process runs meanwhile: no renewal, and no signal.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
    return live;
  };
  const { error } = await applyTo({ ...connected, read }, request, { timing: { lease: 60 } });
  expect(error).toMatchObject({ code: 'configuration-busy' });
  const left = await connected.read({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'default' }, signal);
  expect(left).toBeUndefined();
});

test('a run stops where another one takes over, and leaves the Lease to that', async () => {
  const { cluster, hold } = await held(ended);
  const api = whenApplying(cluster.connect(), async (own) => {
    await hold(elsewhere);
    await over(own);
  });
  expect((await applyTo(api, request, { timing: { lease: 60 } })).error).toMatchObject({
    code: 'configuration-busy',
    message: 'process 4711 of elsewhere took over during this run',
  });
  expect(await holder(cluster)).toBe(elsewhere);
});

test('a run stops where somebody removes all that solpack remembers', async () => {
  const { cluster } = await held(ended);
  const api = whenApplying(cluster.connect(), async (own) => {
    cluster.drop(lease);
    cluster.drop({ apiVersion: 'v1', kind: 'Namespace', name: HOME });
    await over(own);
  });
  expect((await applyTo(api, request, { timing: { lease: 60 } })).error).toMatchObject({
    code: 'configuration-busy',
    message: `somebody removed Lease ${HOME}/configuration-here during this run`,
  });
});

/** Waits until a run is told to stop. */
function over(own: AbortSignal): Promise<void> {
  return new Promise((settle) => own.addEventListener('abort', () => settle(), { once: true }));
}
