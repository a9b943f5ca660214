import { ifReadable, type KubernetesApi, type LiveObject, textAt } from '../../server/index.ts';
import { readinessOf } from '../readiness/index.ts';
import type { ObjectEvidence } from './cause.ts';
import { inOrder } from './events.ts';
import { newestRevision, ownedBy, selectorOf, tellingFirst } from './owners.ts';

/** Most Pods that are looked at closely: the Pods of one workload fail alike. */
const PODS = 5;

/** Reads everything that may explain why an object is not ready. What cannot be read is left out. */
export async function gather(api: KubernetesApi, object: LiveObject, signal: AbortSignal): Promise<ObjectEvidence> {
  const { between, pods } = await below(api, object, signal);
  const all = [object, ...between, ...pods];
  const events = await Promise.all(all.map((one) => eventsOf(api, one, signal)));
  return { object, between, pods, events: inOrder(events.flat()), storageClass: await classOf(api, object, signal) };
}

/** Finds Pods by their owners: labels narrow the search, but prove nothing. */
async function below(
  api: KubernetesApi,
  object: LiveObject,
  signal: AbortSignal,
): Promise<Pick<ObjectEvidence, 'between' | 'pods'>> {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  switch (`${group}/${object.kind}`) {
    case '/Pod':
      return { between: [], pods: [object] };
    case 'apps/Deployment': {
      const sets = await ownedIn(api, 'apps/v1', 'ReplicaSet', object, signal);
      const newest = newestRevision(sets);
      return newest === undefined
        ? { between: [], pods: [] }
        : { between: [newest], pods: await podsOf(api, newest, signal) };
    }
    case 'apps/DaemonSet':
    case 'apps/ReplicaSet':
    case 'apps/StatefulSet':
    case 'batch/Job':
    case '/ReplicationController':
      return { between: [], pods: await podsOf(api, object, signal) };
    default:
      return { between: [], pods: [] };
  }
}

async function podsOf(api: KubernetesApi, owner: LiveObject, signal: AbortSignal): Promise<LiveObject[]> {
  const pods = await ownedIn(api, 'v1', 'Pod', owner, signal);
  const unready = pods.filter((pod) => readinessOf(pod).state !== 'ready');
  return tellingFirst(unready).slice(0, PODS);
}

async function ownedIn(
  api: KubernetesApi,
  apiVersion: string,
  kind: string,
  owner: LiveObject,
  signal: AbortSignal,
): Promise<LiveObject[]> {
  const labels = selectorOf(owner);
  const found = await listed(api, apiVersion, kind, owner, labels === '' ? {} : { labels }, signal);
  return found.filter((one) => ownedBy(one, owner));
}

function eventsOf(api: KubernetesApi, object: LiveObject, signal: AbortSignal): Promise<readonly LiveObject[]> {
  return listed(api, 'v1', 'Event', object, { fields: `involvedObject.uid=${object.metadata.uid}` }, signal);
}

/** Lists the objects of a kind in the namespace of `beside`; events about cluster-scoped objects are in `default`. */
function listed(
  api: KubernetesApi,
  apiVersion: string,
  kind: string,
  beside: LiveObject,
  filter: { readonly labels?: string; readonly fields?: string },
  signal: AbortSignal,
): Promise<readonly LiveObject[]> {
  return ifReadable(signal, [], async () => {
    const resource = (await api.discover(signal)).find(apiVersion, kind);
    const namespace = beside.metadata.namespace ?? 'default';
    return resource === undefined ? [] : api.list(resource, { namespace, ...filter }, signal);
  });
}

async function classOf(
  api: KubernetesApi,
  object: LiveObject,
  signal: AbortSignal,
): Promise<ObjectEvidence['storageClass']> {
  const name = textAt(object, 'spec', 'storageClassName');
  if (object.kind !== 'PersistentVolumeClaim' || object.apiVersion !== 'v1' || name === '') return undefined;
  return ifReadable(signal, undefined, async () => {
    const found = await api.read({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name }, signal);
    return found ?? 'absent';
  });
}
