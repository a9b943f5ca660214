import type { Flow } from '../../flow.ts';
import type { ClusterTarget } from '../kind.ts';
import type { KubernetesApi } from './api.ts';
import { applyRequest } from './apply-request.ts';
import { clusterError } from './client/failure.ts';
import { connect } from './client/index.ts';
import { factsOf } from './cluster-facts.ts';
import { entriesOf, readInventories } from './inventories.ts';
import { type ApplySession, type ApplyTiming, defaultTiming } from './session.ts';

/** Which cluster to use, and how. */
export interface KubernetesOptions {
  /** Absolute path of a kubeconfig file, whose current context is used. */
  readonly kubeconfig: string;
  /** The environment of programs that print credentials, if the kubeconfig names one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes over fields that other managers own. */
  readonly forceConflicts: boolean;
  /** How long removed objects may take to disappear, in milliseconds; left out: as `timing` says. */
  readonly removal?: number;
}

/**
 * Makes the target for the API server of a cluster. It connects on first use, until it is disposed of or the flow is
 * aborted.
 */
export function kubernetesTarget(options: KubernetesOptions, timing: ApplyTiming = defaultTiming): ClusterTarget {
  const times = { ...timing, removal: options.removal ?? timing.removal };
  let opened: KubernetesApi | undefined;
  const close = async (): Promise<void> => {
    const closing = opened;
    opened = undefined;
    await closing?.close();
  };
  const sessionOf = (api: KubernetesApi, flow: Flow): ApplySession => {
    return { api, flow, timing: times, force: options.forceConflicts };
  };
  const using = async <T>(flow: Flow, work: (api: KubernetesApi) => Promise<T>): Promise<T> => {
    if (opened === undefined) {
      opened = await connect(options.kubeconfig, flow, undefined, options.env);
      flow.signal.addEventListener('abort', () => void close(), { once: true });
    }
    const { server } = opened;
    try {
      return await work(opened);
    } catch (error) {
      flow.signal.throwIfAborted();
      throw clusterError(error, server);
    }
  };
  return {
    name: options.kubeconfig,
    facts: (flow) => using(flow, async (api) => factsOf(await api.discover(flow.signal))),
    inventory: (flow) => using(flow, async (api) => entriesOf(await readInventories(sessionOf(api, flow)))),
    apply: (request, flow) => using(flow, (api) => applyRequest(request, sessionOf(api, flow))),
    [Symbol.asyncDispose]: close,
  };
}
