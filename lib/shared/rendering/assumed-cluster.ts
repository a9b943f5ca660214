import { minorOf } from '../../../formats/kubernetes/minors.ts';
import { namespacedBy, servedByDefault } from '../../../formats/kubernetes/served.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';

/**
 * What is assumed of a cluster that nobody can ask: its version, such as `1.33.0`, which undefined leaves to Helm, with
 * the kinds that Kubernetes of this version serves by default.
 */
export function assumedCluster(version: string | undefined): ClusterFacts {
  const minor = version === undefined ? undefined : minorOf(version);
  return {
    version: version === undefined ? undefined : `v${version.replace(/^v/, '')}`,
    apiVersions: minor === undefined ? [] : servedByDefault(minor),
    namespaced: namespacedBy,
  };
}
