import { isKubernetesGroup, namespacedBy } from '../kubernetes/served.ts';
import type { KubernetesObject } from './object.ts';

/** Lists the kinds that live outside of namespaces on every MicroShift, beside those of Kubernetes itself. */
const openShiftGroup = 'security.openshift.io';
const openShiftKinds: readonly string[] = ['SecurityContextConstraints'];

/** Tells the API group of an object; '' is the core group. */
export function groupOf({ apiVersion }: Pick<KubernetesObject, 'apiVersion'>): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** Tells an object's kind with its group and without its version: `Kind.group`, or `Kind` for the core group. */
export function groupKindOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): string {
  const group = groupOf(object);
  return group === '' ? object.kind : `${object.kind}.${group}`;
}

/**
 * Copies objects, and sets `metadata.namespace` to `namespace` on those that live in a namespace and name none. Whether
 * a kind lives in one is asked in this order: the CustomResourceDefinitions among `objects` and `definitions`
 * (`spec.scope`), then `namespaced`, which knows what a server says, then Kubernetes' own kinds. Any other kind counts
 * as namespaced, as in kustomize.
 */
export function withNamespace(
  objects: readonly KubernetesObject[],
  namespace: string,
  definitions: readonly KubernetesObject[] = [],
  namespaced: (group: string, kind: string) => boolean | undefined = () => undefined,
): KubernetesObject[] {
  const isWithin = namespacedAmong([...definitions, ...objects], namespaced);
  return objects.map((object) => {
    if (!isWithin(object) || object.metadata.namespace !== undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace } };
  });
}

/** Makes what says whether an object lives in a namespace, asked in the order of `withNamespace`. */
export function namespacedAmong(
  definitions: readonly KubernetesObject[],
  namespaced: (group: string, kind: string) => boolean | undefined = () => undefined,
): (object: KubernetesObject) => boolean {
  const custom = scopesOf(definitions);
  // What is about to be applied says how things will be; a server says how they are.
  return (object) => custom.get(groupKindOf(object))?.at(-1) ?? livesWithin(object, namespaced);
}

/**
 * Returns whether an object may end up in a namespace, and whether outside of them. Both are possible if its
 * definitions and the server disagree. Checks that must hold in either case use this.
 */
export function mayLive(
  object: KubernetesObject,
  custom: ReturnType<typeof scopesOf>,
  namespaced: (group: string, kind: string) => boolean | undefined = () => undefined,
): { readonly within: boolean; readonly outside: boolean } {
  const group = groupOf(object);
  const served = namespaced(group, object.kind);
  const defined = custom.get(groupKindOf(object));
  // Nobody defines the kinds of Kubernetes anew, whatever an object says.
  const isBuiltIn = isKubernetesGroup(group) || group === openShiftGroup;
  const said =
    defined === undefined || (served === undefined && isBuiltIn)
      ? [livesWithin(object, namespaced)]
      : [...defined, ...(served === undefined ? [] : [served])];
  return { within: said.includes(true), outside: said.includes(false) };
}

/**
 * Tells, for each kind that CustomResourceDefinitions among `objects` define, whether each of these puts it in
 * namespaces.
 */
export function scopesOf(objects: readonly KubernetesObject[]): ReadonlyMap<string, readonly boolean[]> {
  const scopes = new Map<string, boolean[]>();
  for (const object of objects) {
    const scope = scopeOf(object);
    if (scope) scopes.set(scope.key, [...(scopes.get(scope.key) ?? []), scope.namespaced]);
  }
  return scopes;
}

function livesWithin(
  object: KubernetesObject,
  namespaced: (group: string, kind: string) => boolean | undefined,
): boolean {
  const group = groupOf(object);
  const isOpenShift = group === openShiftGroup && openShiftKinds.includes(object.kind);
  return namespaced(group, object.kind) ?? namespacedBy(group, object.kind) ?? !isOpenShift;
}

function scopeOf(object: KubernetesObject): { key: string; namespaced: boolean } | undefined {
  if (object.kind !== 'CustomResourceDefinition' || groupOf(object) !== 'apiextensions.k8s.io') return undefined;
  const spec = object['spec'] as { group?: unknown; scope?: unknown; names?: { kind?: unknown } } | null | undefined;
  const kind = spec?.names?.kind;
  if (typeof spec?.group !== 'string' || typeof kind !== 'string') return undefined;
  return { key: `${kind}.${spec.group}`, namespaced: spec.scope !== 'Cluster' };
}
