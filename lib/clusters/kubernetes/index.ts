import type { Flow } from '../../flow.ts';
import type { ClusterTarget } from '../kind.ts';
import type { KubernetesApi } from './api.ts';
import { connect } from './client/index.ts';
import { factsOf } from './facts.ts';
import { clusterError } from './failure.ts';
import { run } from './run.ts';
import { defaultTiming, type Timing } from './session.ts';

/** Which cluster, and how it is treated. */
export interface KubernetesOptions {
  /** The absolute path of a kubeconfig file; its current context counts. */
  readonly kubeconfig: string;
  /** Takes over fields that other managers own. */
  readonly forceConflicts: boolean;
}

/**
 * The API server of a cluster. `facts` opens the connection and leaves it to the `apply` that follows, which closes it; an
 * abort of the flow closes it too.
 */
export function kubernetesTarget(options: KubernetesOptions, timing: Timing = defaultTiming): ClusterTarget {
  let opened: KubernetesApi | undefined;
  const open = async (flow: Flow): Promise<KubernetesApi> => {
    if (opened === undefined) {
      opened = await connect(options.kubeconfig, flow);
      flow.signal.addEventListener('abort', () => void close(), { once: true });
    }
    return opened;
  };
  const close = async (): Promise<void> => {
    const closing = opened;
    opened = undefined;
    await closing?.close();
  };
  const using = async <T>(flow: Flow, work: (api: KubernetesApi) => Promise<T>): Promise<T> => {
    const api = await open(flow);
    try {
      return await work(api);
    } catch (error) {
      await close();
      flow.signal.throwIfAborted();
      throw clusterError(error, api.server);
    }
  };
  return {
    name: options.kubeconfig,
    facts: (flow) => using(flow, async (api) => factsOf(await api.discover(flow.signal))),
    apply: async (request, flow) => {
      try {
        return await using(flow, (api) => run(request, { api, flow, timing, force: options.forceConflicts }));
      } finally {
        await close();
      }
    },
  };
}
