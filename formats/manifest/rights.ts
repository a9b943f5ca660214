import type { KubernetesObject } from './documents.ts';
import { groupOf } from './namespace.ts';

/** Something that somebody may do (Kubernetes, "Using RBAC Authorization"). */
export interface Right {
  /** `ServiceAccount namespace/name`, `User name`, `Group name`; or the role itself, where nobody is bound to it. */
  readonly subject: string;
  /** Where; '*' is everywhere, and outside of namespaces. */
  readonly namespace: string;
  readonly verb: string;
  /** API group; '' is the core group, and of what is no resource. */
  readonly group: string;
  /** A resource, or a path that begins with `/`; `role NAME` stands for everything that a role of others allows. */
  readonly resource: string;
  /** The one object; '*' is all. */
  readonly name: string;
}

/**
 * Lists the rights that objects ask for: what their bindings give to whom, and what roles allow that nobody is bound
 * to. Objects have the namespaces that they will have.
 */
export function rightsOf(objects: readonly KubernetesObject[]): Right[] {
  const rbac = objects.filter((object) => groupOf(object) === 'rbac.authorization.k8s.io');
  const roles = new Map<string, KubernetesObject>();
  for (const object of rbac) if (/Role$/.test(object.kind)) roles.set(roleKey(object), object);
  const bound = new Set<string>();
  const rights = rbac.flatMap((binding) => {
    if (!binding.kind.endsWith('RoleBinding')) return [];
    const namespace = binding.kind === 'ClusterRoleBinding' ? '*' : (binding.metadata.namespace ?? 'default');
    const { kind, name } = fields(binding['roleRef']);
    const key = `${kind}/${kind === 'Role' ? namespace : ''}/${name}`;
    bound.add(key);
    const role = roles.get(key);
    const allowed = role ? allowedBy(role) : [{ verb: '*', group: '', resource: `role ${name}`, name: '*' }];
    return list(binding['subjects']).flatMap((subject) =>
      allowed.map((one): Right => ({ subject: subjectWords(subject, namespace), namespace, ...one })),
    );
  });
  const unbound = [...roles].filter(([key]) => !bound.has(key));
  return [
    ...rights,
    ...unbound.flatMap(([, role]) => {
      const namespace = role.kind === 'ClusterRole' ? '*' : (role.metadata.namespace ?? 'default');
      return allowedBy(role).map(
        (one): Right => ({ subject: `${role.kind} ${role.metadata.name}`, namespace, ...one }),
      );
    }),
  ];
}

/** Lists the rights of `after` that none of `before` covers, each once. */
export function addedRights(before: readonly Right[], after: readonly Right[]): Right[] {
  const known = new Map<string, Right[]>();
  for (const right of before) known.set(right.subject, [...(known.get(right.subject) ?? []), right]);
  const added = new Map<string, Right>();
  for (const right of after) {
    if (known.get(right.subject)?.some((one) => covers(one, right))) continue;
    added.set(JSON.stringify(right), right);
  }
  return [...added.values()];
}

type Allowed = Pick<Right, 'verb' | 'group' | 'resource' | 'name'>;

function allowedBy(role: KubernetesObject): Allowed[] {
  return list(role['rules']).flatMap((rule) => {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = fields(rule);
    const names = words(resourceNames);
    return words(verbs).flatMap((verb) => [
      ...words(nonResourceURLs).map((resource) => ({ verb, group: '', resource, name: '*' })),
      ...words(apiGroups).flatMap((group) =>
        words(resources).flatMap((resource) =>
          (names.length === 0 ? ['*'] : names).map((name) => ({ verb, group, resource, name })),
        ),
      ),
    ]);
  });
}

function covers(one: Right, other: Right): boolean {
  const same = (a: string, b: string): boolean => a === '*' || a === b;
  const isPath = other.resource.startsWith('/');
  const isWithin = isPath
    ? one.resource === other.resource ||
      (one.resource.endsWith('*') && other.resource.startsWith(one.resource.slice(0, -1)))
    : same(one.group, other.group) && !other.resource.startsWith('role ')
      ? sameResource(one.resource, other.resource)
      : one.resource === other.resource && one.group === other.group;
  return same(one.namespace, other.namespace) && same(one.verb, other.verb) && isWithin && same(one.name, other.name);
}

/** Whether a resource of a rule, such as `*`, `pods` or a subresource of all, covers another. */
function sameResource(one: string, other: string): boolean {
  if (one === '*' || one === other) return true;
  return one.startsWith('*/') && other.endsWith(one.slice(1));
}

function subjectWords(subject: unknown, namespace: string): string {
  const { kind, name, namespace: own } = fields(subject);
  return kind === 'ServiceAccount' ? `ServiceAccount ${own ?? namespace}/${name}` : `${kind} ${name}`;
}

function roleKey({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${kind === 'Role' ? (metadata.namespace ?? 'default') : ''}/${metadata.name}`;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown): readonly string[] {
  return list(value).filter((one) => typeof one === 'string');
}
