import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { type LiveObject, nameOf, wordsOf } from '../server/index.ts';

/** Objects that Kubernetes and OpenShift put into every namespace, as `group/Kind name`. */
const builtIn: ReadonlySet<string> = new Set([
  '/ConfigMap kube-root-ca.crt',
  '/ConfigMap openshift-service-ca.crt',
  '/ServiceAccount builder',
  '/ServiceAccount default',
  '/ServiceAccount deployer',
  'rbac.authorization.k8s.io/RoleBinding system:deployers',
  'rbac.authorization.k8s.io/RoleBinding system:image-builders',
  'rbac.authorization.k8s.io/RoleBinding system:image-pullers',
]);

/** Kinds of objects that only trace what else exists, as `group/Kind`: nobody misses them. */
const traces: ReadonlySet<string> = new Set([
  '/Endpoints',
  '/Event',
  'coordination.k8s.io/Lease',
  'discovery.k8s.io/EndpointSlice',
  'events.k8s.io/Event',
]);

/** Decides whether objects of a kind do not show that somebody uses a namespace. */
export function isTrace({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return traces.has(`${group}/${kind}`);
}

/**
 * Returns the objects that would be lost with a namespace, claims first: all that no other object in it owns. `objects`
 * is everything that is in it.
 */
export function occupants(objects: readonly LiveObject[]): LiveObject[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const living = objects.filter(({ apiVersion, kind, metadata }) => {
    const type = `${groupOf({ apiVersion })}/${kind}`;
    if (traces.has(type) || builtIn.has(`${type} ${metadata.name}`)) return false;
    // An owned object counts through its owner, where that is here too.
    return !(metadata.ownerReferences ?? []).some(({ uid }) => uids.has(uid));
  });
  return living.toSorted((a, b) => Number(isClaim(b)) - Number(isClaim(a)));
}

/** Decides whether an object will disappear by itself: it is being deleted, or its owner does not exist any more. */
export function isLeaving({ metadata }: LiveObject): boolean {
  return metadata.deletionTimestamp !== undefined || (metadata.ownerReferences ?? []).length > 0;
}

/** Explains why a namespace is kept, naming some of the objects in it; undefined where there are none. */
export function keptFor(living: readonly LiveObject[]): string | undefined {
  const [first] = living;
  if (first === undefined) return undefined;
  const named = living.slice(0, 3).map((object) => wordsOf({ ...nameOf(object), namespace: undefined }));
  const more = living.length > named.length ? ` and ${living.length - named.length} more` : '';
  const what = `${named.join(', ')}${more}`;
  return isClaim(first) ? `its removal would delete data: ${what}` : `it contains objects of others: ${what}`;
}

function isClaim({ apiVersion, kind }: LiveObject): boolean {
  return apiVersion === 'v1' && kind === 'PersistentVolumeClaim';
}
