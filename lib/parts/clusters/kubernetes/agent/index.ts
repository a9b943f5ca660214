import type { Flow } from '../../../../kernel/events/index.ts';
import type { AgentCluster } from '../../agent-cluster.ts';
import {
  type ApplySession,
  clusterError,
  connect,
  defaultTiming,
  type KubernetesOptions,
  type WatchingApi,
} from '../server/index.ts';
import { keepClusterOperator } from './cluster-operator.ts';
import { followDecision } from './decisions.ts';
import { followSource } from './follow.ts';
import { type LeaderTiming, leaderTiming, leading } from './leadership.ts';
import { writeNews, writeStatus } from './tell.ts';
import { watchInventory } from './watch-inventory.ts';

export {
  /** Opens the cluster of an agent for whoever decides about its plans. */
  approvalCluster,
} from './decisions.ts';
export type {
  /** Time limits for choosing a leader, in milliseconds. */
  LeaderTiming,
} from './leadership.ts';

/** Makes what an agent needs of its cluster. It connects on first use, until it is disposed of. */
export function agentCluster(
  { kubeconfig, env }: Pick<KubernetesOptions, 'kubeconfig' | 'env'>,
  timing: LeaderTiming = leaderTiming,
): AgentCluster {
  let opened: Promise<WatchingApi> | undefined;
  const using = async <T>(flow: Flow, work: (api: WatchingApi) => Promise<T>): Promise<T> => {
    opened ??= connect(kubeconfig, flow, undefined, env);
    const api = await opened.catch((error) => {
      opened = undefined;
      throw error;
    });
    try {
      return await work(api);
    } catch (error) {
      flow.signal.throwIfAborted();
      throw clusterError(error, api.server);
    }
  };
  const session = (api: WatchingApi, flow: Flow): Omit<ApplySession, 'api'> & { api: WatchingApi } => {
    return { api, flow, timing: defaultTiming, force: false };
  };
  return {
    connect: (flow) => using(flow, async () => undefined),
    lead: (lease, flow, work, onTerm) => using(flow, (api) => leading(lease, { api, flow, timing }, work, onTerm)),
    follow: (source, flow, onDocument) => using(flow, (api) => followSource(source, api, flow, onDocument)),
    followDecision: (configuration, flow, onDecision) =>
      using(flow, (api) => followDecision(configuration, api, flow, onDecision)),
    watch: (configuration, flow, onChange) =>
      using(flow, (api) => watchInventory(configuration, session(api, flow), onChange)),
    tellStatus: (source, status, flow) => using(flow, (api) => writeStatus(source, status, api, flow)),
    tellOperator: (name, statusFrom, flow) => using(flow, (api) => keepClusterOperator(name, statusFrom, api, flow)),
    tellNews: (source, uid, news, flow) => using(flow, (api) => writeNews(source, uid, news, api, flow)),
    [Symbol.asyncDispose]: async () => {
      const closing = opened;
      opened = undefined;
      await (await closing?.catch(() => undefined))?.close();
    },
  };
}
