import { kubernetesSatisfies } from '../../formats/solution/kubernetes-range.ts';
import type { Archive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import type { ClusterFacts } from '../model.ts';

/**
 * Makes sure that the cluster is of a version that all Solutions are for. Does nothing where there is no cluster to ask. Throws
 * `kubernetes-unsupported`.
 */
export function requireKubernetes(archives: readonly Archive[], cluster: ClusterFacts | undefined): void {
  const version = cluster?.version;
  if (version === undefined) return;
  for (const { path, catalog } of archives) {
    const { kubernetes } = catalog.metadata;
    if (kubernetes === undefined || kubernetesSatisfies(version, kubernetes)) continue;
    throw new SolpackError(
      'kubernetes-unsupported',
      path,
      `is for Kubernetes ${kubernetes}, the cluster has ${version}`,
      {
        hint: 'activate a version of the Solution that is for this cluster, or ask its author for one',
      },
    );
  }
}
