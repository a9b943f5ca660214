import { byteOrder } from '../../../../formats/bytes.ts';
import { pluralOf } from '../../../../formats/kubernetes/plural.ts';
import { namespacedBy } from '../../../../formats/kubernetes/served.ts';
import { groupOf, namespacedAmong } from '../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { isOfReplaceableKind } from '../../../../formats/manifest/replaceable.ts';
import { RESERVED_NAMESPACE } from '../../../../formats/manifest/reserved.ts';
import { isRecord } from '../../../../formats/record.ts';
import { isObjectProbe, type ReadyProbe } from '../../../../formats/solution/ready-probe.ts';
import type { AccessRule } from './settings.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** What a part does to objects of Solutions. */
export interface Deeds {
  /** Whether it watches them, besides listing them. */
  readonly watches: boolean;
  /**
   * Whether it brings and removes them; otherwise it puts back what is there, and removes only what has to be made
   * anew.
   */
  readonly installs: boolean;
  /** Whether it says what somebody has changed from what an autoscaler sets. */
  readonly heals: boolean;
}

/** Rules by the namespace that they are for; those under '' are for all of them, and for what is in none. */
export type PlacedRules = ReadonlyMap<string, readonly AccessRule[]>;

/** Where rules are for the whole cluster. */
export const EVERYWHERE = '';

/** Joins rules of several origins. */
export function joinedRules(...all: readonly PlacedRules[]): PlacedRules {
  const places = new Map<string, AccessRule[]>();
  for (const [place, rules] of all.flatMap((one) => [...one])) {
    places.set(place, [...(places.get(place) ?? []), ...rules]);
  }
  return places;
}

/** Lists what is needed to ask any cluster what it serves, who one is, and what one may. */
function askingRules({ installs }: Deeds): AccessRule[] {
  const asked = { nonResourceURLs: ['/version', '/api', '/api/*', '/apis', '/apis/*'], verbs: ['get'] };
  if (!installs) return [asked];
  return [
    asked,
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
  ];
}

/**
 * Lists what is needed in the namespace in which solpack remembers things: inventories, generations, and the Lease of a
 * run.
 */
function homeRules({ installs }: Deeds): AccessRule[] {
  const all = ['get', 'list', 'create', 'patch', 'delete'];
  return [
    { apiGroups: [''], resources: ['configmaps'], verbs: installs ? all : ['list'] },
    { apiGroups: [''], resources: ['secrets'], verbs: installs ? all : ['get', 'list'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'patch', 'delete'] },
  ];
}

/**
 * Lists what a part needs that does this, for Solutions that bring exactly these objects: by namespace, wherever it is
 * known in which one they are. Undefined objects are any: it may bring and give everything then.
 */
export function partRules(
  objects: readonly KubernetesObject[] | undefined,
  deeds: Deeds,
  probes: readonly ReadyProbe[] = [],
): PlacedRules {
  const always = new Map([
    [EVERYWHERE, askingRules(deeds)],
    [HOME_NAMESPACE, homeRules(deeds)],
  ]);
  if (objects === undefined) return joinedRules(always, new Map([[EVERYWHERE, anySolution(deeds)]]));
  return joinedRules(always, solutionRules(objects, deeds), probeRules(probes, pluralsOf(objects)));
}

function anySolution(deeds: Deeds): AccessRule[] {
  // Plugins may have custom resources migrated.
  const verbs = [...seeing(deeds), ...changing(deeds, true), ...(deeds.installs ? ['update'] : [])];
  return [
    { apiGroups: ['*'], resources: ['*'], verbs },
    { apiGroups: [RBAC], resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'] },
  ];
}

/** Verbs for all objects of a kind: those of a Solution are found by their labels, wherever they are. */
const seeing = ({ watches }: Deeds): string[] => (watches ? ['list', 'watch'] : ['list']);
/** Verbs for the objects themselves. */
const changing = ({ installs }: Deeds, isReplaced: boolean): string[] =>
  installs || isReplaced ? ['get', 'create', 'patch', 'delete'] : ['get', 'create', 'patch'];

/**
 * Lists what is needed for Solutions that bring exactly these objects: their kinds, the rights that they give, because
 * Kubernetes lets nobody give what he does not have ("Privilege escalation prevention and bootstrapping"), and what
 * says why they do not come up.
 */
function solutionRules(objects: readonly KubernetesObject[], deeds: Deeds): PlacedRules {
  const plural = pluralsOf(objects);
  const isWithin = namespacedAmong(objects);
  const collected = collector();
  for (const object of objects) {
    const kind = [groupOf(object), plural(object)] as const;
    collected.add(EVERYWHERE, ...kind, seeing(deeds));
    const place = isWithin(object) ? (object.metadata.namespace ?? EVERYWHERE) : EVERYWHERE;
    collected.add(place, ...kind, changing(deeds, isOfReplaceableKind(object)));
  }
  // Whether namespaces are there, and what nodes run, is looked at in any case.
  collected.add(EVERYWHERE, '', 'namespaces', ['get']);
  collected.add(EVERYWHERE, '', 'nodes', ['list']);
  if (deeds.heals && objects.some(hasPods)) {
    collected.add(EVERYWHERE, 'autoscaling', 'horizontalpodautoscalers', ['list']);
    collected.add(EVERYWHERE, 'autoscaling.k8s.io', 'verticalpodautoscalers', ['list']);
  }
  for (const object of objects) addReasons(object, collected.add);
  return joinedRules(collected.rules(), givenRules(objects), boundRoles(objects));
}

/** Lists what is needed to ask what probes ask: objects of others as well, and Services through the server's proxy. */
function probeRules(
  probes: readonly ReadyProbe[],
  plural: (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>) => string,
): PlacedRules {
  const { add, rules } = collector();
  for (const probe of probes) {
    const place = probe.namespace ?? EVERYWHERE;
    if (!isObjectProbe(probe)) {
      add(place, '', 'services/proxy', ['get']);
      continue;
    }
    const group = groupOf(probe);
    const isWithin = namespacedBy(group, probe.kind) !== false;
    add(isWithin ? place : EVERYWHERE, group, plural(probe), [probe.name === undefined ? 'list' : 'get']);
  }
  return rules();
}

type Add = (place: string, group: string, resource: string, verbs: readonly string[]) => void;

/** Adds what is read to say why an object does not come up: Events about it, and its Pods with their logs. */
function addReasons(object: KubernetesObject, add: Add): void {
  const group = groupOf(object);
  const place = object.metadata.namespace;
  if (group === RBAC || place === undefined) return;
  add(place, '', 'events', ['list']);
  if (object.kind === 'PersistentVolumeClaim') add(EVERYWHERE, 'storage.k8s.io', 'storageclasses', ['get']);
  if (!hasPods(object)) return;
  add(place, '', 'pods', ['list']);
  add(place, '', 'pods/log', ['get']);
  if (group === 'apps' && object.kind === 'Deployment') add(place, 'apps', 'replicasets', ['list']);
}

function hasPods(object: KubernetesObject): boolean {
  return object.kind === 'Pod' || (isRecord(object['spec']) && isRecord(object['spec']['template']));
}

/** Collects verbs by resource, and makes one rule of all resources of a group that have the same ones. */
function collector(): { readonly add: Add; rules(): PlacedRules } {
  const places = new Map<string, Map<string, Set<string>>>();
  return {
    add: (place, group, resource, verbs) => {
      const kinds = places.get(place) ?? new Map<string, Set<string>>();
      places.set(place, kinds);
      const key = `${group}/${resource}`;
      kinds.set(key, new Set([...(kinds.get(key) ?? []), ...verbs]));
    },
    rules: () => new Map([...places].map(([place, kinds]) => [place, rulesOf(kinds)])),
  };
}

function rulesOf(kinds: ReadonlyMap<string, ReadonlySet<string>>): AccessRule[] {
  const inOrder = [...kinds].sort(([a], [b]) => byteOrder(a, b));
  const alike = Map.groupBy(inOrder, ([key, verbs]) => `${key.slice(0, key.indexOf('/'))} ${[...verbs].sort()}`);
  return [...alike.values()].map((all) => {
    const [[first, verbs]] = all as [[string, ReadonlySet<string>]];
    const resources = all.map(([key]) => key.slice(key.indexOf('/') + 1));
    return { apiGroups: [first.slice(0, first.indexOf('/'))], resources, verbs: [...verbs] };
  });
}

/** Lists the rules of the roles that objects are, each once where it is given. */
function givenRules(objects: readonly KubernetesObject[]): PlacedRules {
  const roles = objects.filter((object) => groupOf(object) === RBAC && /^(?:Cluster)?Role$/.test(object.kind));
  return new Map(
    [...Map.groupBy(roles, placeOf)].map(([place, all]) => {
      const rules = all.flatMap((role) => (Array.isArray(role['rules']) ? (role['rules'] as unknown[]) : []));
      const distinct = new Map(rules.filter(isRecord).map((rule) => [JSON.stringify(rule), rule as unknown]));
      return [place, [...distinct.values()] as AccessRule[]];
    }),
  );
}

/** Where a role or a binding counts; one that says no namespace may end up in any. */
const placeOf = ({ kind, metadata: { namespace } }: KubernetesObject): string =>
  kind.startsWith('Cluster') ? EVERYWHERE : (namespace ?? EVERYWHERE);

/** Lists the roles of others that objects bind somebody to. */
function boundRoles(objects: readonly KubernetesObject[]): PlacedRules {
  const own = new Set(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
  const places = new Map<string, Map<string, Set<string>>>();
  for (const object of objects) {
    const reference = object['roleRef'];
    if (!object.kind.endsWith('RoleBinding') || !isRecord(reference)) continue;
    const { kind, name } = reference;
    if (own.has(`${kind} ${name}`)) continue;
    const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    const kinds = places.get(placeOf(object)) ?? new Map<string, Set<string>>();
    places.set(placeOf(object), kinds.set(resource, (kinds.get(resource) ?? new Set()).add(String(name))));
  }
  const bind = ([resource, names]: readonly [string, ReadonlySet<string>]): AccessRule => {
    return { apiGroups: [RBAC], resources: [resource], resourceNames: [...names].sort(byteOrder), verbs: ['bind'] };
  };
  return new Map([...places].map(([place, kinds]) => [place, [...kinds].map(bind)]));
}

/** Names resources as paths do: as definitions among the objects say, otherwise as Kubernetes names its own. */
function pluralsOf(
  objects: readonly KubernetesObject[],
): (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>) => string {
  const defined = new Map<string, string>();
  for (const { kind, spec } of objects) {
    if (kind !== 'CustomResourceDefinition' || !isRecord(spec) || !isRecord(spec['names'])) continue;
    defined.set(`${spec['group']}/${spec['names']['kind']}`, String(spec['names']['plural']));
  }
  return (object) => defined.get(`${groupOf(object)}/${object.kind}`) ?? pluralOf(object.kind);
}

/** The namespace in which solpack remembers things. */
export const HOME_NAMESPACE: string = RESERVED_NAMESPACE;
