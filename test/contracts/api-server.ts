import { afterEach, test } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { ApiError, type KubernetesApi, type LiveObject } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { awaitRemoval } from '../../lib/parts/clusters/kubernetes/server/await-removal.ts';
import { connect } from '../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { definition, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { memoryCluster } from '../support/cluster/index.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { testFlow } from '../support/flow.ts';

/** An API server that keeps promises. */
interface Promising {
  readonly name: string;
  /** A test of it. */
  readonly promise: (name: string, work: () => Promise<void>) => void;
  /** Connects until the test ends. */
  connected(): Promise<KubernetesApi>;
}

/** All of them, for the tests of one file. Call it at the top level of that file. */
export function promisingServers(): readonly Promising[] {
  const plane = sharedControlPlane();
  const memory = memoryCluster();
  const opened: KubernetesApi[] = [];
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });
  return [
    { name: 'an API server in memory', promise: test, connected: async () => memory.connect() },
    {
      name: 'a real API server',
      promise: controlPlaneTest,
      connected: async () => {
        const api = await connect(plane().kubeconfig, testFlow());
        opened.push(api);
        return api;
      },
    },
  ];
}

/** A test of an API server that has a namespace of its own. */
export function spaced({ promise, connected }: Promising) {
  return (name: string, work: (api: KubernetesApi, space: string) => Promise<void>): void =>
    promise(name, async () => {
      const api = await connected();
      const space = `space-${spaces++}`;
      await api.apply(stated('v1', 'Namespace', space), {}, new AbortController().signal);
      await work(api, space);
    });
}
let spaces = 0;

/** An object with more metadata. */
export function about<T extends KubernetesObject>(object: T, more: object): T {
  return { ...object, metadata: { ...object.metadata, ...more } };
}

/** The refusal that a call has to end with. */
export async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => new Error('it is not refused'),
    (reason) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/** Waits as an install does. */
export async function gone(object: LiveObject, api: KubernetesApi): Promise<void> {
  const timing = { poll: 20, patience: 1_000, removal: 60_000, lease: 10_000 };
  await awaitRemoval([object], timing.removal, { api, flow: testFlow(), timing, force: false });
}

/** An object without the times at which its fields were stated. */
export function timeless({ metadata: { managedFields = [], ...metadata }, ...rest }: LiveObject): object {
  return { ...rest, metadata: { ...metadata, managedFields: managedFields.map(({ time: _, ...one }) => one) } };
}

/** An object without what differs between two that are made alike. */
export function alike(object: LiveObject): object {
  const { uid, resourceVersion, creationTimestamp, ...metadata } = object.metadata;
  return timeless({ ...object, metadata: metadata as LiveObject['metadata'] });
}

/** Which keys of `data` each manager has stated. */
export function managers({ metadata: { managedFields = [] } }: LiveObject): Record<string, string[]> {
  const entries = managedFields.map(({ manager = '', fieldsV1 }): [string, string[]] => {
    const { 'f:data': data = {} } = fieldsV1 as Record<string, object>;
    return [manager, Object.keys(data).map((key) => key.slice(2))];
  });
  return Object.fromEntries(entries);
}

/** A container that nobody runs. */
export function container(command: string): object {
  return { name: 'app', image: 'absent.solpack.test/app:1', command: [command] };
}

/** A Deployment whose Pods have the label `app`. */
export function deployment(place: string, app: string, replicas: number): KubernetesObject {
  const labels = { app };
  const template = { metadata: { labels }, spec: { containers: [container('true')] } };
  return stated('apps/v1', 'Deployment', place, { spec: { replicas, selector: { matchLabels: labels }, template } });
}

/** The definition of the kind Widget of a group. */
export function customKind(group: string): KubernetesObject {
  const { spec } = definition('Widget') as unknown as { spec: { versions: object[] } };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = spec.versions.map((version) => ({ ...version, storage: true, schema }));
  return stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `widgets.${group}`, {
    spec: { ...spec, group, versions },
  });
}
