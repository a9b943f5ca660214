import type { ClusterTarget } from '../kind.ts';
import { connect } from './server/client/index.ts';
import type { KubernetesOptions } from './server/options.ts';
import { type ApplyTiming, defaultTiming } from './server/session.ts';
import { targetOver } from './target.ts';

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
