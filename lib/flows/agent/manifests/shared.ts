import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { EVERYWHERE, HOME_NAMESPACE, type PlacedRules } from './rights.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the labels that Pods of a part are found by. */
export function labelsOf(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name };
}

/** Namespaces that every cluster has. */
const standing = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Makes the namespace of a part, that in which solpack remembers things, and each other one that rights are given in: a
 * role has to be there before the Solution is that brings its namespace.
 */
export function namespaces(name: string, podSecurity: string, rules: PlacedRules): KubernetesObject[] {
  const others = [...rules.keys()].filter((one) => ![EVERYWHERE, HOME_NAMESPACE, name, ...standing].includes(one));
  return [
    namespace(HOME_NAMESPACE, { 'app.kubernetes.io/managed-by': 'solpack' }),
    ...others.map((one) => namespace(one)),
    namespace(name, { 'pod-security.kubernetes.io/enforce': podSecurity }),
  ];
}

function namespace(name: string, labels?: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } };
}

/** Makes the service account of a part. */
export function account(name: string, place: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: place } };
}

/** Makes the roles that give rules to the account `of` a part, one for each place, and binds it to them. */
export function roles(
  name: string,
  of: { readonly name: string; readonly namespace: string },
  placed: PlacedRules,
): KubernetesObject[] {
  return [...placed].flatMap(([place, rules]) => {
    const kind = place === EVERYWHERE ? 'ClusterRole' : 'Role';
    const metadata = { name, ...(place === EVERYWHERE ? {} : { namespace: place }) };
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
      {
        ...{ apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata },
        roleRef: { apiGroup: RBAC, kind, name },
        subjects: [{ kind: 'ServiceAccount', ...of }],
      },
    ];
  });
}
