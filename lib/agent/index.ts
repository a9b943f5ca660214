import { type Flow, lend } from '../flow.ts';
import { answerProbes } from './health.ts';
import type { AgentRequest, AgentVitals } from './request.ts';
import { leadTerm } from './term.ts';

export { agentCluster } from '../clusters/index.ts';

/**
 * Follows a SolutionsConfiguration of the cluster until the flow is aborted. One replica leads: it installs what the configuration says
 * whenever that changes, puts back what somebody changes or deletes, and tells in status and Events how it is. What fails is tried
 * again. Throws what connecting throws, `listen-failed`, and the reason of an aborted flow.
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
    await request.cluster.connect(flow);
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
