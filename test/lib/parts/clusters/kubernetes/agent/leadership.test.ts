import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { leading } from '../../../../../../lib/parts/clusters/kubernetes/agent/leadership.ts';
import { ApiError, type KubernetesApi } from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { textAt } from '../../../../../../lib/parts/clusters/kubernetes/server/object-path.ts';
import { disturbed } from '../../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../support/flow.ts';
import { eventually } from '../../../../../support/until.ts';
import { stated } from '../support.ts';

const lease = { namespace: 'default', name: 'agent' };
const named = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease };
const timing = { lease: 2_000, look: 50 };
const { signal } = new AbortController();

interface Replica {
  readonly terms: string[];
  readonly end: AbortController;
  readonly ended: Promise<unknown>;
}

/** A replica that leads whenever it may, and notes when its work begins and is aborted. */
function replica(api: KubernetesApi): Replica {
  const end = new AbortController();
  const terms: string[] = [];
  const flow = { ...testFlow(), signal: end.signal };
  const work = async (own: { readonly signal: AbortSignal }): Promise<never> => {
    terms.push('begins');
    await new Promise<void>((settle) => own.signal.addEventListener('abort', () => settle(), { once: true }));
    terms.push('ends');
    throw own.signal.reason;
  };
  const ended = leading(lease, { api, flow, timing }, work, () => undefined).catch(() => undefined);
  return { terms, end, ended };
}

const holder = async (cluster: MemoryCluster): Promise<string> =>
  textAt(await cluster.connect().read(named, signal), 'spec', 'holderIdentity');

describe('a leader', () => {
  test('is one of several, and the next one leads as soon as it has ended by itself', async () => {
    const cluster = memoryCluster();
    const all = [1, 2, 3].map(() => replica(cluster.connect()));
    await eventually(() => all.filter(({ terms }) => terms.length > 0).length).toBe(1);
    // Clock: nobody else is to lead, and nobody can wait for that.
    await sleep(timing.lease);
    expect(all.filter(({ terms }) => terms.length > 0)).toHaveLength(1);
    const first = all.find(({ terms }) => terms.length > 0)!;
    first.end.abort();
    await first.ended;
    expect(first.terms).toEqual(['begins', 'ends']);
    await eventually(() => all.filter(({ terms }) => terms.length === 1).length).toBe(1);
    for (const { end, ended } of all) {
      end.abort();
      await ended;
    }
    expect(await holder(cluster)).toBe('');
  });

  test('stops at once where another one has its Lease, and waits for it anew', async () => {
    const cluster = memoryCluster();
    const one = replica(cluster.connect());
    await eventually(() => one.terms.length).toBe(1);
    const taken = stated('coordination.k8s.io/v1', 'Lease', 'default/agent', { spec: { holderIdentity: 'other' } });
    await cluster.connect().apply(taken, { manager: 'other', force: true }, signal);
    await eventually(() => one.terms).toEqual(['begins', 'ends']);
    expect(await holder(cluster)).toBe('other');
    // The other one never gives a sign of life.
    await eventually(() => one.terms).toEqual(['begins', 'ends', 'begins']);
    one.end.abort();
    await one.ended;
  });

  test('waits for rights that it had, and ends where it never had them', async () => {
    const cluster = memoryCluster();
    let isRefused = false;
    const refusal = new ApiError({ verb: 'read', subject: 'Lease default/agent' }, { status: 403 }, 'may not be read');
    const api = disturbed(cluster.connect(), ({ subject }) =>
      isRefused && subject.startsWith('Lease ') ? refusal : undefined,
    );
    const one = replica(api);
    await eventually(() => one.terms.length).toBe(1);
    isRefused = true;
    await eventually(() => one.terms).toEqual(['begins', 'ends']);
    const flow = testFlow();
    const never = leading(
      lease,
      { api, flow, timing },
      async () => 'led',
      () => undefined,
    );
    await expect(never).rejects.toBe(refusal);
    isRefused = false;
    await eventually(() => one.terms).toEqual(['begins', 'ends', 'begins']);
    one.end.abort();
    await one.ended;
  });

  test('stops once its Lease may be over, where no renewal is answered', async () => {
    const cluster = memoryCluster();
    let isAway = false;
    const api = disturbed(cluster.connect(), ({ subject }) =>
      isAway && subject.startsWith('Lease ') ? 'hanging' : undefined,
    );
    const one = replica(api);
    await eventually(() => one.terms.length).toBe(1);
    isAway = true;
    await eventually(() => one.terms).toEqual(['begins', 'ends']);
    isAway = false;
    one.end.abort();
    await one.ended;
  });
});
