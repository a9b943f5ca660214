import type { ClusterTarget } from '../kind.ts';
import { type ApplyTiming, connect, defaultTiming, type KubernetesOptions } from './server/index.ts';
import { targetOver } from './target.ts';

export {
  /** Makes what an agent needs of its cluster. */
  agentCluster,
  /** Opens the cluster of an agent for whoever decides about its plans. */
  approvalCluster,
  /** Time limits for choosing a leader, in milliseconds. */
  type LeaderTiming,
} from './agent/index.ts';
export {
  /** Decides whether an object, once it exists, can refuse or change others. */
  isGate,
  /** Decides whether an object is ready for as long as nobody changes it. */
  isSteady,
} from './desired/index.ts';
export {
  /** The progress of a run with a component. */
  type ComponentProgress,
  /** The ConfigMap in which a run reports its progress. */
  type ProgressPlace,
  /** Where a run reports its progress, and under which name. */
  type ProgressReport,
  /** The state of a run. */
  type ProgressState,
  /** What a run reports about itself in a ConfigMap. */
  type RunProgress,
  /** Does `work`, and reports its progress in a ConfigMap. */
  reportProgress,
  /** Makes a Job that installs, after what it needs, and follows it until it has ended. */
  runLoader,
  /** The content of the ConfigMap at the end. */
  type SettledRun,
  /** The run whose end is reported if it could not report it itself. */
  type SettleRequest,
  /** Waits until a container of a Pod has ended. */
  settleProgress,
} from './health/index.ts';
export {
  /** How long an apply waits, in milliseconds. */
  type ApplyTiming,
  /** Which cluster to use, and how. */
  type KubernetesOptions,
  /** Tells until when the certificates and the token are good that a kubeconfig holds or names. */
  kubeconfigTerms,
  /** The account of the Pod that a process runs in (Kubernetes, "Accessing the Kubernetes API from a Pod"). */
  type PodAccount,
} from './server/index.ts';

/**
 * Makes the target for the API server of a cluster. It connects on first use, until it is disposed of or the flow is
 * aborted.
 */
export function kubernetesTarget(options: KubernetesOptions, timing: ApplyTiming = defaultTiming): ClusterTarget {
  const { kubeconfig, env, forceConflicts: force = false, removal = timing.removal } = options;
  const settings = { timing: { ...timing, removal }, force };
  const name = typeof kubeconfig === 'string' ? kubeconfig : kubeconfig.folder;
  return targetOver(name, (flow) => connect(kubeconfig, flow, undefined, env), settings);
}
