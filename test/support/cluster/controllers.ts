import type { LiveObject, Resource } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { numberAt } from '../../../lib/parts/clusters/kubernetes/server/object-path.ts';
import { definedBy } from './kinds.ts';
import type { Draft, Store } from './store.ts';

/** Set by whoever deletes an object that is to wait for what it owns. */
export const FOREGROUND = 'foregroundDeletion';

/** What Kubernetes puts into every namespace. */
const furniture = [
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'kube-root-ca.crt' },
  { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default' },
];

/** What acts on objects of a cluster after a request was answered. */
export interface Controllers {
  /** An object was made, or another version of it: `before` is the one that was there. */
  stored(object: LiveObject, before: LiveObject | undefined): void;
  /** An object is being deleted, or is gone. */
  deleted(object: LiveObject): void;
}

/**
 * The controllers of Kubernetes that an install can tell the doings of: garbage collection, namespaces, definitions,
 * and workloads, which come up unless they are `stuck`. `serve` is reported what CustomResourceDefinitions have served.
 */
export function controllersOf(
  store: Store,
  serve: (definition: string, resources: readonly Resource[]) => void,
  stuck: (name: string) => boolean,
): Controllers {
  const remove = (object: LiveObject): void => {
    store.drop(object);
    store.after(2, () => {
      for (const dependent of dependentsOf(object, store)) erase(dependent);
    });
    if (object.kind === 'CustomResourceDefinition') serve(object.metadata.name, []);
  };
  /** Deletes an object as a controller does. */
  const erase = (object: LiveObject): void => {
    store.change(object, (draft) => {
      draft.metadata.deletionTimestamp ??= store.time();
    });
    if ((object.metadata.finalizers ?? []).length === 0) remove(object);
  };
  const collect = (object: LiveObject): void => {
    const live = store.get({ ...object, ...object.metadata });
    if (live?.metadata.uid !== object.metadata.uid) return;
    const dependents = dependentsOf(live, store);
    for (const dependent of dependents) erase(dependent);
    if (dependents.length > 0) {
      store.after(2, () => collect(live));
      return;
    }
    live.metadata.finalizers = (live.metadata.finalizers ?? []).filter((name) => name !== FOREGROUND);
    settled(store.put(live));
  };
  const empty = (object: LiveObject): void => {
    const live = store.get({ ...object, ...object.metadata });
    if (live?.metadata.uid !== object.metadata.uid) return;
    const content = contentOf(live, store);
    for (const inhabitant of content) erase(inhabitant);
    const held = contentOf(live, store).flatMap(({ metadata }) => metadata.finalizers ?? []);
    if (content.length > 0) {
      store.put({ ...live, status: { phase: 'Terminating', conditions: remaining(held) } });
      store.after(2, () => empty(live));
    } else settled(store.put({ ...live, spec: { finalizers: [] } }));
  };
  /** Lets go of what was deleted and is not held any longer. */
  const settled = (object: LiveObject): void => {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const { finalizers: own = [] } = (object['spec'] ?? {}) as { finalizers?: readonly string[] };
    if (deletionTimestamp !== undefined && finalizers.length === 0 && own.length === 0) remove(object);
  };
  return {
    stored: (object, before) => {
      if (object.metadata.deletionTimestamp !== undefined) settled(object);
      else if (object.kind === 'Namespace' && before === undefined) store.after(2, () => furnish(object, store));
      else if (object.kind === 'CustomResourceDefinition') establish(object, store, serve);
      else if (object.kind in finished && !stuck(object.metadata.name)) bringUp(object, store);
    },
    deleted: (object) => {
      if (object.kind === 'Namespace') store.after(2, () => empty(object));
      if (object.metadata.finalizers?.includes(FOREGROUND)) store.after(3, () => collect(object));
      settled(object);
    },
  };
}

function dependentsOf({ metadata: { uid } }: LiveObject, store: Store): LiveObject[] {
  return store.all().filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
}

function contentOf({ metadata: { name } }: LiveObject, store: Store): LiveObject[] {
  return store.all().filter(({ metadata }) => metadata.namespace === name);
}

function remaining(held: readonly string[]): object[] {
  if (held.length === 0) return [];
  const message = `Some content in the namespace has finalizers remaining: ${held.join(', ')}`;
  return [{ type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message }];
}

function furnish({ metadata: { name: namespace, uid } }: LiveObject, store: Store): void {
  const live = store.get({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  if (live?.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) return;
  for (const { name, ...type } of furniture) {
    store.put({ ...type, metadata: { name, namespace, uid: store.uid(), resourceVersion: '' } });
  }
}

/** A definition is established some calls after it was made, and served some calls after that. */
function establish(definition: LiveObject, store: Store, serve: Parameters<typeof controllersOf>[1]): void {
  store.after(2, () =>
    store.change(definition, (draft) => {
      draft['status'] = { conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' })) };
    }),
  );
  store.after(4, () => serve(definition.metadata.name, definedBy(definition)));
}

/** The status of a workload that has come up. */
const finished: Readonly<Record<string, (replicas: number) => object>> = {
  Deployment: (replicas) => ({
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Available', status: 'True' }],
  }),
  Job: () => ({ succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] }),
};

/** A workload is seen by its controller some calls after it was changed, and has come up some calls after that. */
function bringUp(object: LiveObject, store: Store): void {
  const { generation: observedGeneration } = object.metadata;
  const told = (status: object) => (draft: Draft) => {
    if (draft.metadata.generation === observedGeneration) draft['status'] = { observedGeneration, ...status };
  };
  const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
  store.after(2, () => store.change(object, told({ replicas: 0 })));
  store.after(6, () => store.change(object, told(finished[object.kind]!(replicas))));
}
