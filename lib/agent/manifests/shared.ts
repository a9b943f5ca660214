import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { HOME_NAMESPACE } from './rights.ts';
import type { AccessRule } from './settings.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the labels that Pods of a part are found by. */
export function labelsOf(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name };
}

/** Makes the namespace of a part, and that in which solpack remembers things, which rights are given in. */
export function namespaces(name: string, podSecurity: string): KubernetesObject[] {
  return [
    namespace(HOME_NAMESPACE, { 'app.kubernetes.io/managed-by': 'solpack' }),
    namespace(name, { 'pod-security.kubernetes.io/enforce': podSecurity }),
  ];
}

function namespace(name: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** Makes the service account of a part. */
export function account(name: string, place: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: place } };
}

/** Makes a role: of one namespace, or of the cluster. */
export function role(name: string, place: string | undefined, rules: readonly AccessRule[]): KubernetesObject {
  const kind = place === undefined ? 'ClusterRole' : 'Role';
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name, ...(place === undefined ? {} : { namespace: place }) },
    rules,
  };
}

/** Binds the account `of` a part, whose name is that of the role if it is left out, to a role. */
export function binding(
  name: string,
  place: string | undefined,
  of: { readonly namespace: string; readonly name?: string },
): KubernetesObject {
  const kind = place === undefined ? 'ClusterRole' : 'Role';
  return {
    apiVersion: `${RBAC}/v1`,
    kind: `${kind}Binding`,
    metadata: { name, ...(place === undefined ? {} : { namespace: place }) },
    roleRef: { apiGroup: RBAC, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: of.name ?? name, namespace: of.namespace }],
  };
}
