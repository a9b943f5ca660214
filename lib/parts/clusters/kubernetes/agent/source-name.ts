import { SOLUTIONS_API } from '../../../../../formats/solution/solutions-api.ts';
import type { FollowedSource } from '../../agent-cluster.ts';
import type { ObjectName } from '../server/index.ts';

/** Returns the identity of what is followed. */
export function nameOfSource(source: FollowedSource): ObjectName {
  if (source.kind === 'custom-resource') {
    return { apiVersion: SOLUTIONS_API, kind: 'SolutionsConfiguration', name: source.name };
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', name: source.name, namespace: source.namespace };
}
