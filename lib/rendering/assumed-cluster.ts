import type { ClusterFacts } from '../model.ts';

/**
 * What is assumed of a cluster that nobody can ask: its version, such as `1.33.0`, which undefined leaves to Helm, and the kinds
 * of Kubernetes alone.
 */
export function assumedCluster(version: string | undefined): ClusterFacts {
  return { version: version === undefined ? undefined : `v${version}`, apiVersions: [], namespaced: () => undefined };
}
