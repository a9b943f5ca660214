import { setTimeout as sleep } from 'node:timers/promises';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { answerProbes } from './health.ts';
import type { AgentRequest, AgentVitals } from './request.ts';
import { leadTerm } from './term.ts';

export { agentCluster } from '../../parts/clusters/index.ts';
export {
  /** What becomes of a plan of an agent. */
  type PlanState,
  /** Returns the plan that a status has. */
  planInStatus,
  /** Returns what was decided about the plan of a seal. */
  planState,
} from './agent-plan.ts';
export type {
  /** A condition of what an agent follows. */
  AgentCondition,
} from './conditions.ts';
export {
  /** A rule of RBAC (rbac.authorization.k8s.io/v1, PolicyRule). */
  type AccessRule,
  /** Where the Pods of a part get files from: a folder of their node, or a PersistentVolumeClaim. */
  type FilesFrom,
  /** What a loader and the ConfigMap of its progress are called. */
  LOADER,
  /** A part of solpack that runs in a cluster, and the objects that it needs there. */
  type ManifestPart,
  /** A part of solpack that runs in a cluster. */
  type ManifestPartName,
  /** Settings of a part for printing its objects. */
  type ManifestSettings,
  /** Names of all parts, each with a line about it. */
  manifestParts,
  /** Lists what a cluster needs so that a part of solpack runs there, in the order in which to apply it. */
  manifestsOf,
  SETTINGS,
} from './manifests/index.ts';
export {
  /** A target without a cluster: it takes all objects that a plan would apply, and keeps them. */
  type GatheringTarget,
  /** Makes a place whose objects can be examined after an install was foreseen for it. */
  gatheringTarget,
} from './objects.ts';
export type {
  /** A SolutionsConfiguration that an agent installs. */
  AgentInstall,
  /** Where an agent answers probes. */
  AgentProbes,
  /** What an agent does, and where. */
  AgentRequest,
} from './request.ts';

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
