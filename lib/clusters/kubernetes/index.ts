import type { ClusterTarget } from '../kind.ts';
import { connect } from './client/index.ts';
import type { PodAccount } from './client/pod-account.ts';
import { type ApplyTiming, defaultTiming } from './session.ts';
import { targetOver } from './target.ts';

/** Which cluster to use, and how. */
export interface KubernetesOptions {
  /** Absolute path of a kubeconfig file, whose current context is used; or the account of the Pod that this runs in. */
  readonly kubeconfig: string | PodAccount;
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
  const { kubeconfig, env, forceConflicts: force, removal = timing.removal } = options;
  const settings = { timing: { ...timing, removal }, force };
  const name = typeof kubeconfig === 'string' ? kubeconfig : kubeconfig.folder;
  return targetOver(name, (flow) => connect(kubeconfig, flow, undefined, env), settings);
}
