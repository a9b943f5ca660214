import { pluralOf } from '../../../formats/kubernetes/plural.ts';
import { groupOf } from '../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { RESERVED_NAMESPACE } from '../../../formats/manifest/reserved.ts';
import { isRecord } from '../../../formats/record.ts';
import type { AccessRule } from './settings.ts';

const RBAC = 'rbac.authorization.k8s.io';
/** What is done to the objects of Solutions. */
const verbs = ['get', 'list', 'watch', 'create', 'patch', 'delete'];

/** Lists what is needed to read of any cluster: what it serves, who one is, and why something does not come up. */
export const lookingRules: readonly AccessRule[] = [
  { nonResourceURLs: ['/version', '/api', '/api/*', '/apis', '/apis/*'], verbs: ['get'] },
  { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
  { apiGroups: [''], resources: ['nodes', 'namespaces', 'pods', 'events'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get', 'list'] },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: ['list'] },
  { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get'] },
];

/** Lists what is needed in the namespace in which solpack remembers things. */
export const homeRules: readonly AccessRule[] = [
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'patch', 'delete'] },
];

/** Lists what is needed for Solutions that nobody knows yet: they may bring anything, and give any right. */
export const anySolution: readonly AccessRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs },
  { apiGroups: [RBAC], resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'] },
];

/**
 * Lists what is needed for Solutions that bring exactly these objects: their kinds, and the rights that they give, since Kubernetes
 * lets nobody give what he does not have ("Privilege escalation prevention and bootstrapping").
 */
export function solutionRules(objects: readonly KubernetesObject[]): AccessRule[] {
  const plural = pluralsOf(objects);
  const byGroup = new Map<string, Set<string>>();
  const add = (group: string, resource: string): void => {
    byGroup.set(group, (byGroup.get(group) ?? new Set()).add(resource));
  };
  for (const object of objects) add(groupOf(object), plural(object));
  // Namespaces of components are made with them.
  add('', 'namespaces');
  const kinds = [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, resources]) => ({ apiGroups: [group], resources: [...resources].sort(), verbs }));
  return [...kinds, ...givenRules(objects), ...boundRoles(objects)];
}

/** Lists the rules of the roles that objects are, each once. */
function givenRules(objects: readonly KubernetesObject[]): AccessRule[] {
  const roles = objects.filter((object) => groupOf(object) === RBAC && /^(?:Cluster)?Role$/.test(object.kind));
  const rules = roles.flatMap((role) => (Array.isArray(role['rules']) ? (role['rules'] as unknown[]) : []));
  const distinct = new Map(rules.filter(isRecord).map((rule) => [JSON.stringify(rule), rule as unknown as AccessRule]));
  return [...distinct.values()];
}

/** Lists the roles of others that objects bind somebody to. */
function boundRoles(objects: readonly KubernetesObject[]): AccessRule[] {
  const own = new Set(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
  const references = objects.flatMap((object) => {
    const reference = object['roleRef'];
    return object.kind.endsWith('RoleBinding') && isRecord(reference) ? [reference] : [];
  });
  const foreign = references.filter(({ kind, name }) => !own.has(`${kind} ${name}`));
  const byKind = Map.groupBy(foreign, ({ kind }) => (kind === 'ClusterRole' ? 'clusterroles' : 'roles'));
  return [...byKind].map(([resource, all]) => ({
    apiGroups: [RBAC],
    resources: [resource],
    resourceNames: [...new Set(all.map(({ name }) => String(name)))].sort(),
    verbs: ['bind'],
  }));
}

/** Names resources as paths do: as definitions among the objects say, else as Kubernetes names its own. */
function pluralsOf(objects: readonly KubernetesObject[]): (object: KubernetesObject) => string {
  const defined = new Map<string, string>();
  for (const { kind, spec } of objects) {
    if (kind !== 'CustomResourceDefinition' || !isRecord(spec) || !isRecord(spec['names'])) continue;
    defined.set(`${spec['group']}/${spec['names']['kind']}`, String(spec['names']['plural']));
  }
  return (object) => defined.get(`${groupOf(object)}/${object.kind}`) ?? pluralOf(object.kind);
}

/** The namespace in which solpack remembers things. */
export const HOME_NAMESPACE: string = RESERVED_NAMESPACE;
