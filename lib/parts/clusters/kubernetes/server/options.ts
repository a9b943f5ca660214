import type { PodAccount } from './client/index.ts';

/** Which cluster to use, and how. */
export interface KubernetesOptions {
  /** Absolute path of a kubeconfig file, whose current context is used; or the account of the Pod that this runs in. */
  readonly kubeconfig: string | PodAccount;
  /** The environment of programs that print credentials, if the kubeconfig names one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes over fields that other managers own. */
  readonly forceConflicts?: boolean | undefined;
  /** How long removed objects may take to disappear, in milliseconds; left out: as `timing` says. */
  readonly removal?: number;
}
