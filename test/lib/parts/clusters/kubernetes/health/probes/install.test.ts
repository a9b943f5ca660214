import { describe, expect, test } from 'vitest';
import type { ReadyProbe } from '../../../../../../../formats/solution/ready-probe.ts';
import type { ApplyRequest } from '../../../../../../../lib/parts/clusters/kind.ts';
import { readStatus } from '../../../../../../../lib/parts/clusters/kubernetes/observe/status/index.ts';
import { repairConfiguration } from '../../../../../../../lib/parts/clusters/kubernetes/observe/status/repair.ts';
import { applyTo, prompt } from '../../../../../../support/cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { component, definition, map, stated } from '../../support.ts';

const phase: ReadyProbe = {
  apiVersion: 'example.com/v1',
  kind: 'Database',
  name: 'main',
  namespace: 'default',
  cel: "self.status.phase == 'Running'",
};
/** Milliseconds in which what never comes is given up; what is there by then is there after a few looks. */
const SOON = 500;
const database = { apiVersion: 'example.com/v1', kind: 'Database', name: 'main', namespace: 'default' };

function request(ready: readonly ReadyProbe[], more: readonly object[] = [], timeout = 180_000): ApplyRequest {
  const operator = { ...component('operator', definition('Database'), ...(more as never[])), timeout, ready };
  const user = { ...component('web', map('default/web')), after: ['operator'] };
  return {
    configuration: 'edge',
    solutions: [{ name: 'shop', version: '1.0.0', root: undefined, components: [operator, user] }],
    generation: { cause: 'install', configuration: undefined, solutions: [], keep: 10 },
  };
}

/** What an operator does some calls after its definition came. */
function operated(cluster: MemoryCluster, status: object): ReturnType<MemoryCluster['connect']> {
  const api = cluster.connect();
  let looks = 0;
  return {
    ...api,
    read: async (name, signal) => {
      if (name.kind === 'Database') {
        looks += 1;
        if (looks === 3) await api.apply(stated('example.com/v1', 'Database', 'default/main'), {}, signal);
        if (looks === 5) cluster.change(database, (one) => Object.assign(one, { status }));
      }
      return api.read(name, signal);
    },
  };
}

describe('a component with probes', () => {
  test('is waited for until an object that somebody else makes is as it says', async () => {
    const cluster = memoryCluster();
    const { error, events } = await applyTo(operated(cluster, { phase: 'Running' }), request([phase]));
    expect(error).toBeUndefined();
    const waits = events.filter((event) => event.startsWith('wait Database'));
    expect(waits).toEqual([
      'wait Database default/main: does not exist yet',
      "wait Database default/main: self.status.phase == 'Running' has no value, no such key: status: self.status.phase is not there",
    ]);
    expect(events.findIndex((event) => event.includes('shop 1.0.0, web'))).toBeGreaterThan(events.indexOf(waits[1]!));
  });

  test('that is not ready in time fails with the expression and the value, and what comes after it is not begun', async () => {
    const cluster = memoryCluster();
    const { error, events } = await applyTo(operated(cluster, { phase: 'Pending' }), request([phase], [], SOON));
    expect(error?.code).toBe('object-not-ready');
    expect(error?.subject).toBe('Database default/main');
    expect(error?.message).toContain(`self.status.phase == 'Running' is false: self.status.phase is "Pending"`);
    expect(events.some((event) => event.includes('shop 1.0.0, web'))).toBe(false);
  });

  test('whose object never comes names the expression', async () => {
    const { error } = await applyTo(memoryCluster().connect(), request([phase], [], SOON));
    expect(error?.message).toContain("self.status.phase == 'Running': does not exist yet");
  });

  test('whose kind never comes says so', async () => {
    const { error } = await applyTo(memoryCluster().connect(), request([{ ...phase, kind: 'Cache' }], [], SOON));
    expect(error?.message).toContain('Cache (example.com/v1) is not served yet');
  });

  test('may ask by labels, where all that have them have to be as it says', async () => {
    const cluster = memoryCluster();
    const by: ReadyProbe = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'default',
      selector: { app: 'db' },
      cel: "self.data.value == '1'",
    };
    const labelled = (name: string, value: string): object =>
      map(`default/${name}`, value, { metadata: { name, namespace: 'default', labels: { app: 'db' } } });
    const good = await applyTo(cluster.connect(), request([by], [labelled('a', '1'), labelled('b', '1')]));
    expect(good.error).toBeUndefined();
    const bad = await applyTo(cluster.connect(), request([by], [labelled('a', '1'), labelled('b', '2')], SOON));
    expect(bad.error?.subject).toBe('ConfigMap default/b');
    expect(bad.error?.message).toContain('self.data.value is "2"');
  });

  test('says alone when an object that it brings itself is ready', async () => {
    const stuck = memoryCluster({ stuck: ['web'] });
    const deployment = stated('apps/v1', 'Deployment', 'default/web', {
      spec: { replicas: 1, selector: {}, template: {} },
    });
    const by: ReadyProbe = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'web',
      namespace: 'default',
      cel: 'self.spec.replicas == 1',
    };
    const { error } = await applyTo(stuck.connect(), request([by], [deployment]));
    expect(error).toBeUndefined();
  });

  test('never tells what a Secret holds', async () => {
    const secret = stated('v1', 'Secret', 'default/key', { data: { key: 'aHVudGVyMjI=' } });
    const by: ReadyProbe = {
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'key',
      namespace: 'default',
      cel: "self.data.key == ''",
    };
    const { error, events } = await applyTo(memoryCluster().connect(), request([by], [secret], SOON));
    expect(error?.message).toContain("self.data.key == '' is false");
    expect(`${error?.message} ${events.join(' ')}`).not.toContain('aHVudGVyMjI');
  });

  test('is told of by status, once it is not ready any longer', async () => {
    const cluster = memoryCluster();
    const api = operated(cluster, { phase: 'Running' });
    await applyTo(api, request([phase]));
    const session = { api, flow: testFlow(), timing: prompt, force: false };
    expect((await readStatus('edge', session))?.solutions[0]?.state).toBe('ready');
    cluster.change(database, (one) => Object.assign(one, { status: { phase: 'Lost' } }));
    const status = await readStatus('edge', session);
    expect(status?.solutions[0]).toMatchObject({ state: 'degraded' });
    expect(status?.solutions[0]?.objects).toContainEqual({
      object: 'Database/default/main',
      state: 'degraded',
      reason: `self.status.phase == 'Running' is false: self.status.phase is "Lost"`,
      drift: [],
    });
  });

  test('is told of by repair, once that has put something back', async () => {
    const cluster = memoryCluster();
    const api = operated(cluster, { phase: 'Running' });
    await applyTo(api, request([phase]));
    cluster.change(database, (one) => Object.assign(one, { status: { phase: 'Lost' } }));
    cluster.drop({ apiVersion: 'v1', kind: 'ConfigMap', name: 'web', namespace: 'default' });
    const flow = testFlow();
    const { repaired } = await repairConfiguration(
      { configuration: 'edge', solution: undefined },
      { api, flow, timing: prompt, force: false },
    );
    expect(repaired.map(({ object }) => object)).toEqual(['ConfigMap/default/web']);
    expect(flow.events).toContainEqual({
      type: 'notice',
      subject: 'Database/default/main',
      message: `is not ready yet: self.status.phase == 'Running' is false: self.status.phase is "Lost"`,
    });
  });

  test.each([
    ['Ready', [{ type: 'Ready', status: 'True' }], undefined],
    ['Stalled=False', [{ type: 'Stalled', status: 'False' }], undefined],
    [
      'Ready',
      [{ type: 'Ready', status: 'False', reason: 'Slow', message: 'one of three' }],
      'condition Ready: Ready is False: one of three',
    ],
    ['Ready', [], 'condition Ready: there is no condition Ready'],
  ])('may ask for the condition %s', async (condition, conditions, message) => {
    const { cel: _, ...rest } = phase;
    const { error } = await applyTo(
      operated(memoryCluster(), { conditions }),
      request([{ ...rest, condition }], [], message === undefined ? undefined : SOON),
    );
    if (message === undefined) expect(error).toBeUndefined();
    else expect(error?.message).toContain(message);
  });
});
