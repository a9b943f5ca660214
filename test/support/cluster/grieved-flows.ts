import { expect } from 'vitest';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import { type Flow, pool } from '../../../lib/kernel/events/flow.ts';
import type { ClusterTarget } from '../../../lib/parts/clusters/index.ts';
import { targetOver } from '../../../lib/parts/clusters/kubernetes/target.ts';
import { testFlow } from '../flow.ts';
import { contentOf, prompt } from './applying.ts';
import { disturbed } from './faults.ts';
import type { Grief } from './grief.ts';
import type { MemoryCluster } from './index.ts';

/** A flow that changes a cluster. */
export type ClusterFlow = (cluster: ClusterTarget, flow: Flow) => Promise<unknown>;

/** Runs a flow on a cluster to its end. */
export function runOn(cluster: MemoryCluster, work: ClusterFlow, flow: Flow = testFlow()): Promise<unknown> {
  // A run before it may have left its Lease behind in this very process.
  const timing = { ...prompt, lease: 150 };
  return work(
    targetOver('memory', async () => cluster.connect(), { timing, force: false }),
    flow,
  );
}

/**
 * Lets a flow come to grief at each of its calls in turn, and expects of each that the next run ends in the cluster of
 * an undisturbed one. Returns how many calls there are.
 */
export async function endsAlikeAtEachCall(begun: MemoryCluster, work: ClusterFlow, grief: Grief): Promise<number> {
  const straight = begun.copy();
  await runOn(straight, work);
  const undisturbed = lasting(straight);
  let calls = Number.POSITIVE_INFINITY;
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  await pool(numbers, { limit: 16, signal: new AbortController().signal }, async (at) => {
    if (at >= calls) return;
    const cluster = begun.copy();
    if (!(await grieved(cluster, work, at, grief))) calls = Math.min(calls, at);
    await runOn(cluster, work);
    expect([at, lasting(cluster)]).toEqual([at, undisturbed]);
  });
  return calls - 1;
}

/** Runs a flow that comes to grief at its call number `at`; false where it has not so many. */
async function grieved(cluster: MemoryCluster, work: ClusterFlow, at: number, grief: Grief): Promise<boolean> {
  const stop = new AbortController();
  let happened = false;
  const api = disturbed(cluster.connect(), (call) => {
    const mishap = grief.mishapOf(call, at, stop);
    happened ||= mishap !== undefined;
    return mishap;
  });
  const timing = { ...prompt, removal: grief.patience ?? prompt.removal };
  const target = targetOver('memory', async () => api, { timing, force: false });
  await work(target, { ...testFlow(), signal: stop.signal }).catch((error) => {
    if (!stop.signal.aborted && !(error instanceof SolpackError)) throw error;
  });
  return happened;
}

/** All that is in a cluster, but a Lease: one that a killed run has left is taken by the next one that needs it. */
function lasting(cluster: MemoryCluster): Record<string, unknown> {
  return Object.fromEntries(Object.entries(contentOf(cluster)).filter(([place]) => !place.startsWith('Lease ')));
}
