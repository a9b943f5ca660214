import { pluralOf } from '../kubernetes/plural.ts';
import { fieldOf } from '../kubernetes/problems.ts';
import { namespacedBy } from '../kubernetes/served.ts';
import type { KubernetesObject } from './documents.ts';
import { groupOf } from './namespace.ts';
import { RESERVED_NAMESPACE } from './reserved.ts';

/** A right that solpack needs, as a rule of RBAC. */
export interface InstallRight {
  /** '*' is everywhere, and outside of namespaces. */
  readonly namespace: string;
  /** API group; '' is the core group. */
  readonly group: string;
  /** Plural name. */
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** A component that is installed: its objects, and what tells that it is ready. */
export interface InstalledComponent {
  readonly objects: readonly KubernetesObject[];
  /** Custom resources that plugins migrate. Left out: none. */
  readonly migrations?: readonly KubernetesObject[] | undefined;
  /** What is asked until it is ready: objects, or an endpoint of a Service, which has no kind. */
  readonly ready?:
    | readonly {
        readonly apiVersion?: string | undefined;
        readonly kind?: string | undefined;
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
      }[]
    | undefined;
}

/** What solpack keeps for itself: inventories, records, and the Lease of a run. */
const own: readonly InstallRight[] = [
  { namespace: '*', group: '', resource: 'namespaces', verbs: ['create', 'get', 'patch'] },
  { namespace: '*', group: '', resource: 'nodes', verbs: ['list'] },
  { namespace: RESERVED_NAMESPACE, group: '', resource: 'configmaps', verbs: ['create', 'get', 'list', 'patch'] },
  {
    namespace: RESERVED_NAMESPACE,
    group: '',
    resource: 'secrets',
    verbs: ['create', 'delete', 'get', 'list', 'patch'],
  },
  {
    namespace: RESERVED_NAMESPACE,
    group: 'coordination.k8s.io',
    resource: 'leases',
    verbs: ['create', 'delete', 'get', 'patch'],
  },
];

/** Verbs by which objects are brought, changed and removed; all of a kind are listed, whatever their namespace. */
const verbs = ['create', 'delete', 'get', 'patch'];

/**
 * Lists what solpack needs the rights to install objects, to upgrade and to remove them. Who brings roles and bindings
 * has to have all that they give, or to be allowed to `escalate` and `bind` (Kubernetes, "Privilege escalation
 * prevention").
 */
export function installRights(components: readonly InstalledComponent[]): InstallRight[] {
  const objects = components.flatMap((one) => one.objects);
  const plurals = new Map(
    objects
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ spec }) => [
        `${fieldOf(spec, 'group')}/${fieldOf(fieldOf(spec, 'names'), 'kind')}`,
        String(fieldOf(fieldOf(spec, 'names'), 'plural')),
      ]),
  );
  const needed = new Map<string, InstallRight>();
  const add = ({ verbs: more, ...place }: InstallRight): void => {
    const key = JSON.stringify([place.namespace, place.group, place.resource]);
    const all = new Set([...(needed.get(key)?.verbs ?? []), ...more]);
    needed.set(key, { ...place, verbs: [...all].sort() });
  };
  for (const one of own) add(one);
  for (const object of objects) {
    const group = groupOf(object);
    const resource = plurals.get(`${group}/${object.kind}`) ?? pluralOf(object.kind);
    add({ namespace: object.metadata.namespace ?? '*', group, resource, verbs });
    add({ namespace: '*', group, resource, verbs: ['list'] });
    if (group !== 'rbac.authorization.k8s.io') continue;
    add({
      namespace: object.metadata.namespace ?? '*',
      group,
      resource: resource.replace('binding', ''),
      verbs: ['bind', 'escalate'],
    });
  }
  for (const object of components.flatMap(({ migrations = [] }) => migrations)) {
    const group = groupOf(object);
    const resource = plurals.get(`${group}/${object.kind}`) ?? pluralOf(object.kind);
    add({ namespace: object.metadata.namespace ?? '*', group, resource, verbs: ['get', 'update'] });
    add({ namespace: '*', group, resource, verbs: ['list'] });
  }
  for (const { apiVersion, kind, name, namespace } of components.flatMap(({ ready = [] }) => ready)) {
    if (apiVersion === undefined || kind === undefined) {
      add({ namespace: namespace ?? '*', group: '', resource: 'services/proxy', verbs: ['get'] });
      continue;
    }
    const group = groupOf({ apiVersion });
    const resource = plurals.get(`${group}/${kind}`) ?? pluralOf(kind);
    const place = namespacedBy(group, kind) === false ? '*' : (namespace ?? '*');
    add({ namespace: place, group, resource, verbs: [name === undefined ? 'list' : 'get'] });
  }
  const text = ({ namespace, group, resource }: InstallRight): string =>
    `${namespace === '*' ? '' : namespace} ${group} ${resource}`;
  return [...needed.values()].sort((one, other) => (text(one) < text(other) ? -1 : 1));
}
