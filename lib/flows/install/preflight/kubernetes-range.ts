import { kubernetesSatisfies } from '../../../../formats/solution/kubernetes-range.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { SurveyCheck } from './check.ts';

/** Finds the Solutions that are not for the version of the cluster; none where there is no cluster to ask. */
export const kubernetesCheck: SurveyCheck = async ({ archives, facts }) => {
  const version = facts?.version;
  if (version === undefined) return [];
  return archives.flatMap(({ path, catalog }) => {
    const { kubernetes } = catalog.metadata;
    if (kubernetes === undefined || kubernetesSatisfies(version, kubernetes)) return [];
    const message = `is for Kubernetes ${kubernetes}, the cluster has ${version}`;
    const hint = 'activate a version of the Solution that is for this cluster, or ask its author for one';
    return [new SolpackError('kubernetes-unsupported', path, message, { hint })];
  });
};
