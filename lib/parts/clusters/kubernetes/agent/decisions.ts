import { APPROVAL_KIND, SOLUTIONS_API } from '../../../../../formats/solution/solutions-api.ts';
import { type Flow, SolpackError } from '../../../../kernel/events/index.ts';
import type { ApprovalCluster, FollowedConfiguration, PlanDecision } from '../../approval-cluster.ts';
import {
  clusterError,
  connect,
  type KubernetesApi,
  type KubernetesOptions,
  type LiveObject,
  type ObjectName,
  textAt,
  type WatchingApi,
} from '../server/index.ts';
import { persistently } from './persistently.ts';

/** Who writes decisions. */
const MANAGER = 'solpack-approval';

/** Returns what an object has decided about a plan; undefined if it is none, or says nothing of use. */
export function decisionIn(live: LiveObject | undefined): PlanDecision | undefined {
  const [seal, decision] = [textAt(live, 'spec', 'seal'), textAt(live, 'spec', 'decision')];
  if (seal === '' || (decision !== 'Approved' && decision !== 'Denied')) return undefined;
  const reason = textAt(live, 'spec', 'reason');
  return { seal, decision, ...(reason === '' ? {} : { reason }) };
}

/** Returns what was decided about plans of a configuration, and each change of it, until the flow is aborted. */
export function followDecision(
  configuration: string,
  api: WatchingApi,
  flow: Flow,
  onDecision: (decision: PlanDecision | undefined) => void,
): Promise<never> {
  const name = approvalName(configuration);
  return persistently(api.server, flow, async () => {
    const find = async (fresh: boolean) => (await api.discover(flow.signal, fresh)).find(name.apiVersion, name.kind);
    const resource = (await find(false)) ?? (await find(true));
    if (resource === undefined) return onDecision(undefined);
    const on = {
      begin: async () => onDecision(decisionIn(await api.read(name, flow.signal))),
      change: ({ isGone, object }: { readonly isGone: boolean; readonly object: LiveObject }) =>
        onDecision(isGone ? undefined : decisionIn(object)),
    };
    await api.watch(resource, { fields: `metadata.name=${configuration}` }, on, flow.signal);
  });
}

/** Opens the cluster of an agent for whoever decides about its plans. It connects on first use. */
export function approvalCluster({ kubeconfig, env }: Pick<KubernetesOptions, 'kubeconfig' | 'env'>): ApprovalCluster {
  let opened: Promise<KubernetesApi> | undefined;
  const using = async <T>(flow: Flow, work: (api: KubernetesApi) => Promise<T>): Promise<T> => {
    opened ??= connect(kubeconfig, flow, undefined, env);
    const api = await opened;
    try {
      return await work(api);
    } catch (error) {
      flow.signal.throwIfAborted();
      throw clusterError(error, api.server);
    }
  };
  return {
    configurations: (name, flow) => using(flow, (api) => readConfigurations(name, api, flow)),
    decide: (configuration, decision, flow) =>
      using(flow, async (api) => {
        await requireApprovals(api, flow);
        const { apiVersion, kind } = approvalName(configuration);
        const object = { apiVersion, kind, metadata: { name: configuration }, spec: decision };
        await api.apply(object, { manager: MANAGER, force: true }, flow.signal);
      }),
    [Symbol.asyncDispose]: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function readConfigurations(
  name: string | undefined,
  api: KubernetesApi,
  flow: Flow,
): Promise<readonly FollowedConfiguration[]> {
  const resource = (await api.discover(flow.signal)).find(SOLUTIONS_API, 'SolutionsConfiguration');
  if (resource === undefined) return [];
  const one = { apiVersion: SOLUTIONS_API, kind: 'SolutionsConfiguration' };
  const found =
    name === undefined
      ? await api.list(resource, {}, flow.signal)
      : [await api.read({ ...one, name }, flow.signal)].filter((live) => live !== undefined);
  const all: FollowedConfiguration[] = [];
  for (const live of found) {
    const decision = decisionIn(await api.read(approvalName(live.metadata.name), flow.signal));
    all.push({ name: live.metadata.name, status: live['status'], decision });
  }
  return all;
}

async function requireApprovals(api: KubernetesApi, flow: Flow): Promise<void> {
  if ((await api.discover(flow.signal)).find(SOLUTIONS_API, APPROVAL_KIND) !== undefined) return;
  throw new SolpackError('kind-unknown', `${SOLUTIONS_API} ${APPROVAL_KIND}`, 'the cluster has no such kind', {
    hint: 'print the manifests of the agent with --approve manual, and apply them',
  });
}

function approvalName(configuration: string): ObjectName {
  return { apiVersion: SOLUTIONS_API, kind: APPROVAL_KIND, name: configuration };
}
