import type { KubernetesObject } from '../manifest/object.ts';
import type { BundlePermission, ServiceVersion } from './csv.ts';
import { ALL } from './install-mode.ts';
import { permissionName } from './names.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** What an operator needs besides where its rights are for all namespaces: an author may have asked for one alone. */
const seesNamespaces = { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] };

/** The service accounts of an operator in `namespace`; the one named `default` is there already. */
export function serviceAccounts(operator: ServiceVersion, namespace: string): KubernetesObject[] {
  const all = [...operator.permissions, ...operator.clusterPermissions].map(accountOf);
  return [...new Set(all)]
    .filter((name) => name !== 'default')
    .map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }));
}

/** The rights of an operator in `namespace` that watches `watched`, for its service accounts. */
export function operatorRights(
  operator: ServiceVersion,
  namespace: string,
  watched: readonly string[],
): KubernetesObject[] {
  const everywhere = watched.length === 1 && watched[0] === ALL;
  const named = (permission: BundlePermission): string =>
    permissionName(`${operator.name}-${accountOf(permission)}`, permission);
  const within = everywhere
    ? []
    : watched.flatMap((place) =>
        operator.permissions.flatMap((one) => granted(one, named(one), { namespace, kind: 'Role', place })),
      );
  const lifted = everywhere
    ? operator.permissions.map((one) => ({ ...one, rules: [...(one.rules ?? []), seesNamespaces] }))
    : [];
  const wide = [...operator.clusterPermissions, ...lifted].flatMap((one) =>
    granted(one, named(one), { namespace, kind: 'ClusterRole', place: undefined }),
  );
  return [...within, ...wide];
}

interface Grant {
  /** Of the service account. */
  readonly namespace: string;
  readonly kind: 'Role' | 'ClusterRole';
  readonly place: string | undefined;
}

function granted(permission: BundlePermission, name: string, { namespace, kind, place }: Grant): KubernetesObject[] {
  const apiVersion = `${RBAC}/v1`;
  const metadata = { name, ...(place === undefined ? {} : { namespace: place }) };
  return [
    { apiVersion, kind, metadata, rules: permission.rules ?? [] },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind, name },
      subjects: [{ kind: 'ServiceAccount', name: accountOf(permission), namespace }],
    },
  ];
}

function accountOf({ serviceAccountName }: BundlePermission): string {
  return serviceAccountName || 'default';
}
