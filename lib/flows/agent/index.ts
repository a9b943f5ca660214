import { setTimeout as sleep } from 'node:timers/promises';
import { SolpackError } from '../../kernel/events/errors.ts';
import { type Flow, lend } from '../../kernel/events/flow.ts';
import { answerProbes } from './health.ts';
import type { AgentRequest, AgentVitals } from './request.ts';
import { leadTerm } from './term.ts';

export { agentCluster } from '../../parts/clusters/index.ts';

/** Milliseconds until an API server that does not answer at first is asked again. */
const PAUSE = 2_000;

/**
 * Follows a SolutionsConfiguration of the cluster until the flow is aborted. One replica leads: it installs the
 * configuration whenever that changes, restores what somebody changes or deletes, and reports the state in status and
 * Events. It tries again what fails, and waits for a server that does not answer. Throws what else connecting throws,
 * `listen-failed`, and the reason of an aborted flow.
 */
export function runAgent(request: AgentRequest, flow: Flow): Promise<never> {
  const vitals: AgentVitals = {
    isLeader: false,
    isConnected: false,
    isReady: false,
    installs: 0,
    repaired: 0,
    failures: 0,
  };
  const work = async (): Promise<never> => {
    await connected(request, flow);
    vitals.isConnected = true;
    return request.cluster.lead(
      request.lease,
      flow,
      (own) => leadTerm(request, vitals, own),
      (isLeader) => {
        vitals.isLeader = isLeader;
        if (!isLeader) vitals.isReady = false;
        if (isLeader)
          flow.onEvent({ type: 'step', step: 'lead', subject: `${request.lease.namespace}/${request.lease.name}` });
      },
    );
  };
  return lend(request.cluster, async () => {
    if (request.probes === undefined) return work();
    return lend(await answerProbes(request.probes, vitals), ({ url }) => {
      flow.onEvent({ type: 'step', step: 'listen', subject: url });
      return work();
    });
  });
}

/** Waits until the API server answers: it may start after the agent, or be away for a while. */
async function connected({ cluster }: AgentRequest, flow: Flow): Promise<void> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await cluster.connect(flow);
    } catch (error) {
      flow.signal.throwIfAborted();
      if (!(error instanceof SolpackError) || error.code !== 'cluster-unreachable') throw error;
      const message = `${error.message}; retrying`;
      if (!isReported) flow.onEvent({ type: 'notice', subject: error.subject, message });
    }
    await sleep(PAUSE, undefined, { signal: flow.signal }).catch(() => undefined);
    flow.signal.throwIfAborted();
  }
}
