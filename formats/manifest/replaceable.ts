import { groupOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';

/** Kinds whose objects lose nothing by being deleted and made again, as `group/Kind`. */
const replaceable: ReadonlySet<string> = new Set([
  '/ConfigMap',
  '/Pod',
  '/Secret',
  'batch/Job',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/RoleBinding',
]);

/**
 * Decides whether an object is of a kind that may be deleted and made again to change an immutable field: it holds no
 * data.
 */
export function isOfReplaceableKind(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return replaceable.has(`${groupOf(object)}/${object.kind}`);
}
