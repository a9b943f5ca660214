import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import { askedEndpoint, isObjectProbe, type ReadyProbe } from '../../../../../../formats/solution/ready-probe.ts';
import {
  type ApplyPlan,
  HOME,
  type Inventory,
  type PlannedHook,
  type PlannedObject,
  parseGroupKind,
} from '../../desired/index.ts';
import { type Discovery, isDefinition, nameOf, type ObjectName, proxiedName, textAt } from '../../server/index.ts';
import { endsByItself } from '../hooks/index.ts';

/**
 * Something that an apply does to objects of a resource, in a namespace or in all of them (Kubernetes, "Request
 * verbs").
 */
export interface NeededRight {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete';
  readonly group: string;
  /** Plural name. */
  readonly resource: string;
  /** Undefined for all of them, and outside of namespaces. */
  readonly namespace: string | undefined;
  /** The objects that it is for; empty where that is any. */
  readonly names: readonly ObjectName[];
}

/** Names a right as people ask for it: `patch deployments.apps in shop`. */
export function rightWords({ verb, group, resource, namespace }: Omit<NeededRight, 'names'>): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** What is known of the objects of a plan, and of those before. */
export interface RightsBasis {
  /** What the configuration of the plan has brought before. */
  readonly inventories: readonly Inventory[];
  /** The keys of objects that will not be looked at. */
  readonly untouched: ReadonlySet<string>;
  /** The hooks that will run. */
  readonly hooks: readonly PlannedHook[];
  /** The keys of hooks' objects that are there. */
  readonly standing: ReadonlySet<string>;
  /** The objects that will be deleted. */
  readonly leaving: readonly ObjectName[];
  /** Whether the namespace is there that solpack remembers things in. */
  readonly hasHome: boolean;
}

/**
 * Lists what an apply needs to do to objects, those among them that solpack keeps for itself. Whether `create` is
 * really needed depends on which of its objects are there.
 */
export function neededRights(
  plan: ApplyPlan,
  { inventories, untouched, hooks, standing, leaving, hasHome }: RightsBasis,
  discovery: Discovery,
): NeededRight[] {
  const touched = [...plan.objects.values()].filter(({ key }) => !untouched.has(key));
  const rights = new Map<string, NeededRight>();
  const add = (
    verb: NeededRight['verb'],
    place: Omit<NeededRight, 'verb' | 'names'>,
    names: readonly ObjectName[] = [],
  ): void => {
    const key = rightWords({ verb, ...place });
    rights.set(key, { verb, ...place, names: [...(rights.get(key)?.names ?? []), ...names] });
  };
  const plural = pluralsOf([...plan.objects.values(), ...hooks], discovery);
  for (const { name } of [...touched, ...hooks]) {
    const resource = plural(name);
    if (resource === undefined) continue;
    const place = { group: groupOf(name), resource, namespace: name.namespace };
    for (const verb of ['get', 'patch', 'create'] as const) add(verb, place, [name]);
  }
  for (const name of migratedBy(plan)) {
    const resource = plural(name);
    if (resource === undefined) continue;
    const place = { group: groupOf(name), resource, namespace: name.namespace };
    for (const verb of ['get', 'update'] as const) add(verb, place, [name]);
  }
  for (const probe of probesOfPlan(plan)) {
    const endpoint = askedEndpoint(probe);
    if (endpoint !== undefined) {
      const { namespace } = probe;
      const name = proxiedName({ ...endpoint, name: endpoint.service });
      const place = { group: '', resource: 'services/proxy', namespace };
      add('get', place, [{ apiVersion: 'v1', kind: 'Service', name, namespace }]);
    }
    if (!isObjectProbe(probe)) continue;
    const { apiVersion, kind, name, namespace } = probe;
    const served = discovery.find(apiVersion, kind);
    if (served === undefined) continue;
    const place = {
      group: served.group,
      resource: served.plural,
      namespace: served.namespaced ? namespace : undefined,
    };
    if (name === undefined) add('list', place);
    else add('get', place, [{ apiVersion, kind, name, namespace }]);
  }
  const cleared = hooks.filter((one) => isCleared(one, standing.has(one.key))).map(({ name }) => name);
  for (const name of [...leaving, ...cleared]) {
    const resource = plural(name);
    if (resource !== undefined) add('delete', { group: groupOf(name), resource, namespace: name.namespace }, [name]);
  }
  for (const one of new Set(inventories.flatMap(({ groupKinds }) => [...groupKinds]))) {
    const { group, kind } = parseGroupKind(one);
    const resource = discovery.preferred(group, kind)?.plural;
    if (resource !== undefined) add('list', { group, resource, namespace: undefined });
  }
  const spaces = new Set([HOME, ...[...touched, ...hooks].flatMap(({ name }) => name.namespace ?? [])]);
  const namespaces = { group: '', resource: 'namespaces', namespace: undefined };
  add('get', namespaces, [...spaces].map(namespaceOf));
  if (!hasHome) for (const verb of ['patch', 'create'] as const) add(verb, namespaces, [namespaceOf(HOME)]);
  for (const [group, resource, verbs] of home) {
    for (const verb of verbs) add(verb, { group, resource, namespace: HOME });
  }
  return [...rights.values()];
}

/** The custom resources that plugins migrate. */
function migratedBy({ solutions }: ApplyPlan): ObjectName[] {
  return solutions.flatMap(({ components }) => components.flatMap(({ migrations }) => migrations.map(nameOf)));
}

function probesOfPlan({ solutions }: ApplyPlan): readonly ReadyProbe[] {
  return solutions.flatMap(({ components }) => components.flatMap(({ ready }) => ready));
}

/**
 * Decides whether what a hook makes is deleted: before it runs, what an earlier run has left; by its policy, once it
 * has run.
 */
function isCleared({ hook, object }: PlannedHook, isThere: boolean): boolean {
  if (isDefinition(object)) return false;
  if (hook.deletion.some((policy) => policy !== 'before-hook-creation')) return true;
  return isThere && (endsByItself(object) || hook.deletion.includes('before-hook-creation'));
}

/** What solpack keeps in its own namespace: inventories, records, and the Lease of a run. */
const home: readonly (readonly [group: string, resource: string, verbs: readonly NeededRight['verb'][]])[] = [
  ['', 'configmaps', ['get', 'list', 'patch', 'create']],
  ['', 'secrets', ['get', 'list', 'patch', 'create', 'delete']],
  ['coordination.k8s.io', 'leases', ['get', 'patch', 'create', 'delete']],
];

function namespaceOf(name: string): ObjectName {
  return { apiVersion: 'v1', kind: 'Namespace', name };
}

/** Kinds are known by the server, or by the definitions of the plan. */
function pluralsOf(objects: readonly PlannedObject[], discovery: Discovery): (name: ObjectName) => string | undefined {
  const defined = new Map(
    objects
      .filter(({ object }) => isDefinition(object))
      .map(({ object }) => [
        `${textAt(object, 'spec', 'group')}/${textAt(object, 'spec', 'names', 'kind')}`,
        textAt(object, 'spec', 'names', 'plural'),
      ]),
  );
  return (name) =>
    discovery.find(name.apiVersion, name.kind)?.plural ??
    discovery.preferred(groupOf(name), name.kind)?.plural ??
    defined.get(`${groupOf(name)}/${name.kind}`);
}
