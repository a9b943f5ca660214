import { setImmediate as turn } from 'node:timers/promises';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import {
  ApiError,
  type Discovery,
  type KubernetesApi,
  type LiveObject,
  nameOf,
  type ObjectName,
  type Resource,
  wordsOf,
} from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { fieldAt } from '../../../lib/parts/clusters/kubernetes/server/object-path.ts';
import { controllersOf } from './controllers.ts';
import type { Managed } from './fields.ts';
import { builtIn } from './kinds.ts';
import { serverOf } from './server.ts';
import { type Draft, Store } from './store.ts';

/** Calls after which controllers have done what they were about to. */
const REST = 50;

/** A cluster that is nothing but this process's memory, for what a real one cannot be made to do at a chosen moment. */
export interface MemoryCluster {
  /** A connection to its API server, which knows what is served from when it asked first. */
  connect(): KubernetesApi;
  /** Copies of all that is stored. */
  objects(): LiveObject[];
  /** Changes an object as somebody else would who has the say over it, such as a controller; it has to be there. */
  change(name: ObjectName, change: (object: Draft) => void): void;
  /** Removes an object at once, whatever it owns or is held by. */
  drop(name: ObjectName): void;
  /** Lets its controllers do what they are about to. */
  rest(): void;
  /** A cluster like this one, which has to rest. */
  copy(): MemoryCluster;
}

/** Makes a cluster in which nobody has done anything yet. Workloads of the names `stuck` never come up. */
export function memoryCluster({ stuck = [] }: { readonly stuck?: readonly string[] } = {}): MemoryCluster {
  const cluster = clusterOf(new Store(), new Map(), stuck);
  for (const name of ['default', 'kube-system'])
    cluster.make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  // They have been there for long.
  cluster.rest();
  return cluster;
}

function clusterOf(
  store: Store,
  defined: Map<string, readonly Resource[]>,
  stuck: readonly string[],
): MemoryCluster & { make(object: KubernetesObject): void } {
  const serve = (definition: string, resources: readonly Resource[]): void => void defined.set(definition, resources);
  const controllers = controllersOf(store, serve, (name) => stuck.includes(name));
  const server = serverOf(store, controllers);
  const asked = (name: ObjectName): LiveObject => {
    const found = store.get(name);
    if (found === undefined) throw new Error(`${wordsOf(name)} is not there to be changed`);
    return found;
  };
  return {
    connect: () => connection(store, server, () => discoveryOf([...builtIn, ...[...defined.values()].flat()])),
    objects: () => store.all(),
    change: (name, change) => {
      const before = asked(name);
      store.change(before, change);
      controllers.stored(asked(name), before);
    },
    drop: (name) => store.drop(asked(name)),
    rest: () => {
      for (let calls = 0; calls < REST; calls += 1) store.tick();
    },
    copy: () => clusterOf(store.copy(), new Map(defined), stuck),
    make: (object) => {
      const resource = builtIn.find(({ kind }) => kind === object.kind)!;
      server.apply(resource, object, {});
    },
  };
}

function connection(store: Store, server: ReturnType<typeof serverOf>, serving: () => Discovery): KubernetesApi {
  let known: Discovery | undefined;
  const call = async <T>(signal: AbortSignal, work: () => T): Promise<T> => {
    signal.throwIfAborted();
    store.tick();
    const done = work();
    await turn();
    return done;
  };
  const discover = (fresh = false): Discovery => {
    if (known === undefined || fresh) known = serving();
    return known;
  };
  // What is not known may be new.
  const find = ({ apiVersion, kind }: ObjectName): Resource | undefined =>
    discover().find(apiVersion, kind) ?? discover(true).find(apiVersion, kind);
  return {
    server: 'https://memory.test',
    discover: (signal, fresh) => call(signal, () => discover(fresh)),
    read: (name, signal) => call(signal, () => (find(name) ? store.get(name) : undefined)),
    list: (resource, filter, signal) => call(signal, () => listed(resource, filter, store)),
    apply: (object, options, signal) =>
      call(signal, () => {
        const resource = find(nameOf(object));
        if (resource === undefined) throw unknownKind(nameOf(object));
        return server.apply(resource, object, options);
      }),
    replace: (object, signal) =>
      call(signal, () => {
        const resource = find(nameOf(object));
        if (resource === undefined) throw unknownKind(nameOf(object));
        return server.apply(resource, object, { force: true });
      }),
    reassign: (live, managedFields, signal) =>
      call(signal, () => {
        const resource = find(nameOf(live));
        if (resource === undefined) throw unknownKind(nameOf(live));
        return server.reassign(resource, live, managedFields as readonly Managed[]);
      }),
    remove: (name, options, signal) => call(signal, () => (find(name) ? server.remove(name, options) : false)),
    allows: (_what, signal) => call(signal, () => true),
    askService: ({ namespace, name }, signal) =>
      call(signal, () => {
        const subject = `Service ${namespace}/${name}`;
        const there = store.get({ apiVersion: 'v1', kind: 'Service', namespace, name }) !== undefined;
        const [status, reason] = there ? ([503, 'ServiceUnavailable'] as const) : ([404, 'NotFound'] as const);
        const words = there ? `no endpoints available for service "${name}"` : `services "${name}" not found`;
        throw new ApiError({ verb: 'ask', subject }, { status, reason }, words);
      }),
    whyNotReady: (signal) => call(signal, () => undefined),
    log: (_pod, _container, _options, signal) => call(signal, () => []),
    whoAmI: (signal) => call(signal, () => 'tester'),
    close: async () => undefined,
  };
}

function listed({ group, kind }: Resource, filter: Parameters<KubernetesApi['list']>[1], store: Store): LiveObject[] {
  const { namespace, labels, fields, metadata } = filter;
  const found = store.all().filter((object) => {
    const isOfKind = object.kind === kind && groupOf(object.apiVersion) === group;
    if (!isOfKind || (namespace !== undefined && object.metadata.namespace !== namespace)) return false;
    const misses = (labels?.split(',') ?? []).some((term) => {
      const [label = '', value] = term.split('=');
      const own = object.metadata.labels?.[label];
      return value === undefined ? own === undefined : own !== value;
    });
    if (misses) return false;
    const terms = (fields ?? '').split(',').filter((term) => term !== '');
    return terms.map((term) => term.split('=')).every(([path = '', is]) => fieldAt(object, ...path.split('.')) === is);
  });
  return metadata
    ? found.map(({ apiVersion, kind: own, metadata: all }) => ({ apiVersion, kind: own, metadata: all }))
    : found;
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

function discoveryOf(resources: readonly Resource[]): Discovery {
  const typeOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`);
  return {
    version: 'v1.35.4',
    resources,
    find: (apiVersion, kind) => resources.find((one) => typeOf(one) === apiVersion && one.kind === kind),
    preferred: (group, kind) => resources.find((one) => one.group === group && one.kind === kind),
  };
}

function unknownKind(name: ObjectName): SolpackError {
  const hint = 'first install the CustomResourceDefinition of the kind';
  const message = `the API server does not serve ${name.apiVersion} ${name.kind}`;
  return new SolpackError('kind-unknown', wordsOf(name), message, { hint });
}
