import { setTimeout as sleep } from 'node:timers/promises';
import { exits, type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { ClusterTarget } from '../../../parts/clusters/index.ts';

/** Milliseconds between two looks. */
const POLL = 1_000;

/**
 * Waits until the API server of a cluster answers and is ready, for up to `time` milliseconds. What it waits for is
 * reported, once each time that it is something else: a kubeconfig that does not exist yet, a server that does not
 * listen, one that still starts. Throws what was asked wrongly at once, and the last of the others in the end.
 */
export async function awaitCluster(cluster: ClusterTarget, time: number, flow: Flow): Promise<void> {
  const end = performance.now() + time;
  flow.onEvent({ type: 'step', step: 'await-cluster', subject: cluster.name });
  for (let reported = ''; ; ) {
    const reason = await whyNot(cluster, flow);
    if (reason === undefined) return;
    if (performance.now() + POLL > end) throw reason;
    const { code, message } = reason;
    if (reported !== code + message) {
      flow.onEvent({ type: 'notice', subject: reason.subject, message: `${message}; waiting for it` });
    }
    reported = code + message;
    await sleep(POLL, undefined, { signal: flow.signal }).catch((error) => {
      throw flow.signal.aborted ? flow.signal.reason : error;
    });
  }
}

async function whyNot(cluster: ClusterTarget, flow: Flow): Promise<SolpackError | undefined> {
  try {
    const reason = await cluster.whyNotReady(flow);
    if (reason === undefined) return undefined;
    const hint = 'read the log of the API server, or give it more time';
    return new SolpackError('cluster-error', cluster.name, reason, { hint });
  } catch (error) {
    flow.signal.throwIfAborted();
    // A cluster that starts for the first time has no kubeconfig yet, or half of one.
    const early = ['file-missing', 'kubeconfig-invalid'];
    if (!(error instanceof SolpackError) || (error.exit === exits.usage && !early.includes(error.code))) throw error;
    return error;
  }
}
