import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import {
  ApiError,
  type ApplyOptions,
  type KubernetesApi,
  type LiveObject,
  MANAGER,
  nameOf,
  type ObjectName,
  type Resource,
  wordsOf,
} from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { type Controllers, FOREGROUND } from './controllers.ts';
import { conflicts, type Fields, type Managed, merged, minus, pathsOf, statedFields } from './fields.ts';
import { changesFixed, countsGenerations, misfit } from './kinds.ts';
import type { Draft, Store } from './store.ts';

/** What a server is asked, with the resource already found. Refusals are `ApiError`s, in the words of a real server. */
export interface Server {
  apply(resource: Resource, object: KubernetesObject, options: ApplyOptions): LiveObject;
  reassign(resource: Resource, live: LiveObject, managedFields: readonly Managed[]): LiveObject;
  remove(name: ObjectName, options: Parameters<KubernetesApi['remove']>[1]): boolean;
}

/** Applies and deletes objects of a store, and tells controllers. */
export function serverOf(store: Store, controllers: Controllers): Server {
  return {
    apply: (resource, object, options) => {
      const name = nameOf(object);
      const before = store.get(name);
      const refuse = refusing('apply', name);
      admit(resource, object, before, store, refuse);
      const after = appliedTo(before ?? blank(name, store), object, options, store, refuse);
      requireSame(resource, before, after, refuse);
      if (before !== undefined && isDeepStrictEqual(timeless(before), timeless(after))) return before;
      if (countsGenerations(resource) && !isDeepStrictEqual(before?.['spec'], after['spec'])) {
        after.metadata.generation = (before?.metadata.generation ?? 0) + 1;
      }
      if (options.dryRun) return after;
      const stored = store.put(after);
      controllers.stored(stored, before);
      return stored;
    },
    reassign: (resource, live, managedFields) => {
      const name = nameOf(live);
      const refuse = refusing('apply', name);
      const before = store.get(name);
      if (before === undefined) throw refuse(404, 'NotFound', `${namedIn(resource, name.name)} not found`);
      requireVersion(resource, live, before, refuse);
      before.metadata.managedFields = inOrder(managedFields);
      return store.put(before);
    },
    remove: (name, { uid, resourceVersion, propagation }) => {
      const live = store.get(name);
      if (live === undefined || (uid !== undefined && uid !== live.metadata.uid)) return false;
      if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) return false;
      const { finalizers = [] } = live.metadata;
      const waits = propagation === 'Foreground' && !finalizers.includes(FOREGROUND) ? [FOREGROUND] : [];
      live.metadata.deletionTimestamp ??= store.time();
      if (waits.length > 0) live.metadata.finalizers = [...finalizers, ...waits];
      if (live.kind === 'Namespace') live['status'] = { phase: 'Terminating' };
      controllers.deleted(store.put(live));
      return true;
    },
  };
}

type Refuse = (status: number, reason: string, message: string, causes?: ApiError['causes']) => ApiError;

function refusing(verb: string, name: ObjectName): Refuse {
  return (status, reason, message, causes = []) =>
    new ApiError({ verb, subject: wordsOf(name) }, { status, reason, causes }, message);
}

/** Whether an object may be there at all, before it is looked at what it replaces. */
function admit(
  resource: Resource,
  object: KubernetesObject,
  before: LiveObject | undefined,
  store: Store,
  refuse: Refuse,
): void {
  const { name, namespace } = object.metadata;
  const { group, version, kind } = resource;
  const place =
    namespace === undefined ? undefined : store.get({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  if (namespace !== undefined && place === undefined) {
    throw refuse(404, 'NotFound', `namespaces "${namespace}" not found`);
  }
  const wrong = misfit(object);
  if (wrong !== undefined) {
    const what = `${namespace ?? ''}/${name}; ${group}/${version}, Kind=${kind}`;
    throw refuse(500, '', `failed to create typed patch object (${what}): ${wrong}`);
  }
  if (before === undefined && place?.metadata.deletionTimestamp !== undefined) {
    const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const causes = [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated` }];
    throw refuse(403, 'Forbidden', `${namedIn(resource, name)} is forbidden: ${message}`, causes);
  }
  if (before !== undefined) requireVersion(resource, object, before, refuse);
  else if (object.metadata['uid'] !== undefined) {
    const why = `uid mismatch: the provided object specified uid ${object.metadata['uid']}, and no existing object was found`;
    throw refuse(409, 'Conflict', `Operation cannot be fulfilled on ${namedIn(resource, name)}: ${why}`);
  }
}

/** Refuses to write what is not what was read any longer, where the writer says what that was. */
function requireVersion(resource: Resource, { metadata }: KubernetesObject, before: LiveObject, refuse: Refuse): void {
  if ((metadata['resourceVersion'] ?? before.metadata.resourceVersion) === before.metadata.resourceVersion) return;
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  throw refuse(409, 'Conflict', `Operation cannot be fulfilled on ${namedIn(resource, metadata.name)}: ${why}`);
}

function namedIn({ plural, group }: Resource, name: string): string {
  return `${plural}${group === '' ? '' : `.${group}`} "${name}"`;
}

/** An object that nobody has stated anything of yet, with what the server itself gives to all of its kind. */
function blank({ apiVersion, kind, name, namespace }: ObjectName, store: Store): Draft {
  const place = namespace === undefined ? {} : { namespace };
  const own = { name, ...place, uid: store.uid(), resourceVersion: '', creationTimestamp: store.time() };
  if (kind === 'Service') return { apiVersion, kind, metadata: own, spec: { clusterIP: '198.19.0.11' } };
  if (kind !== 'Namespace') return { apiVersion, kind, metadata: own };
  const labels = { 'kubernetes.io/metadata.name': name };
  const more = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
  return { apiVersion, kind, metadata: { ...own, labels }, ...more };
}

/** The object after a manager has applied his configuration to it (Kubernetes, "Server-Side Apply"). */
function appliedTo(
  live: Draft,
  object: KubernetesObject,
  { force = false, manager = MANAGER }: ApplyOptions,
  store: Store,
  refuse: Refuse,
): Draft {
  const managed = (live.metadata.managedFields ?? []) as readonly Managed[];
  const isOwn = (one: Managed): boolean => one.manager === manager && one.operation === 'Apply';
  const others = managed.filter((one) => !isOwn(one));
  const before = managed.find(isOwn)?.fieldsV1 ?? {};
  const stated = statedFields(object);
  const wanted = object as unknown as Record<string, unknown>;
  const found = conflicts(stated, wanted, live, others);
  if (found.length > 0 && !force) throw conflict(found, refuse);
  const taken = found.map(({ field }) => field);
  const left = others.map((one) => {
    const lost = pathsOf(stated).filter((path) => taken.includes(`.${path.map((step) => step.slice(2)).join('.')}`));
    return { ...one, fieldsV1: minus(one.fieldsV1, lost) };
  });
  const after = merged(live, wanted, stated, before, left) as unknown as Draft;
  const own = {
    manager,
    operation: 'Apply',
    apiVersion: object.apiVersion,
    time: store.time(),
    fieldsType: 'FieldsV1',
  };
  const entries: Managed[] = [...left, { ...own, fieldsV1: stated as Fields }].filter(
    ({ fieldsV1 }) => Object.keys(fieldsV1).length > 0,
  );
  if (entries.length > 0) after.metadata.managedFields = inOrder(entries);
  else delete after.metadata.managedFields;
  return after;
}

function inOrder(entries: readonly Managed[]): Managed[] {
  return entries.toSorted((a, b) => (String(a.manager) < String(b.manager) ? -1 : 1));
}

function conflict(found: ReturnType<typeof conflicts>, refuse: Refuse): ApiError {
  const causes = found.map(({ manager, field }) => {
    return { reason: 'FieldManagerConflict', message: `conflict with "${manager}"`, field };
  });
  const words = causes.map(({ message, field }) => `${message}: ${field}`).join('; ');
  const count = `${found.length} conflict${found.length === 1 ? '' : 's'}`;
  return refuse(409, 'Conflict', `Apply failed with ${count}: ${words}`, causes);
}

/** Refuses to change what never changes. */
function requireSame(
  { group, kind }: Resource,
  before: LiveObject | undefined,
  after: LiveObject,
  refuse: Refuse,
): void {
  const wrong = before === undefined ? [] : changesFixed(before, after);
  if (wrong.length === 0) return;
  const words = wrong.map(({ field, message }) => `${field}: ${message}`).join(', ');
  const what = `${kind}${group === '' ? '' : `.${group}`} "${after.metadata.name}"`;
  throw refuse(422, 'Invalid', `${what} is invalid: ${words}`, wrong);
}

/** An object without the times at which its fields were stated: stating them again changes nothing. */
function timeless({ metadata: { managedFields = [], ...metadata }, ...rest }: LiveObject): unknown {
  return { ...rest, ...metadata, managedFields: managedFields.map(({ time: _, ...one }) => one) };
}
