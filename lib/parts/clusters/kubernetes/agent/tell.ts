import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Flow } from '../../../../kernel/events/index.ts';
import type { AgentNews, FollowedSource } from '../../agent-cluster.ts';
import { MANAGED_BY } from '../desired/index.ts';
import type { KubernetesApi, ObjectName } from '../server/index.ts';
import { nameOfSource } from './source-name.ts';

/** Who writes status and events. */
const MANAGER = 'solpack-agent';
/** The key of the ConfigMap that has the status of a followed one. */
export const STATUS_KEY = 'status.json';
/** Events about what is in no namespace are in this one (Kubernetes API conventions, "Events"). */
const EVENTS = 'default';
/** The longest note of an Event, in characters. */
const NOTE = 1024;

/** Names the ConfigMap with the status of one that is followed: that has no status of its own. */
export function statusMap({ namespace, name }: Extract<FollowedSource, { kind: 'config-map' }>): ObjectName {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-status`, namespace };
}

/** Reads a status that was written before; undefined where it is none. */
export function parsedStatus(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the status of what is followed. */
export async function writeStatus(
  source: FollowedSource,
  status: object,
  api: KubernetesApi,
  flow: Flow,
): Promise<void> {
  if (source.kind === 'custom-resource') {
    const { apiVersion, kind, name } = nameOfSource(source);
    const object = { apiVersion, kind, metadata: { name }, status };
    await api.apply(object, { manager: MANAGER, force: true, status: true }, flow.signal);
    return;
  }
  const { apiVersion, kind, name, namespace = '' } = statusMap(source);
  const data = { [STATUS_KEY]: `${JSON.stringify(status, undefined, 1)}\n` };
  const object = { apiVersion, kind, metadata: { name, namespace, labels: MANAGED_BY }, data };
  await api.apply(object, { manager: MANAGER, force: true }, flow.signal);
}

/** Leaves an Event (events.k8s.io/v1). */
export async function writeNews(
  source: FollowedSource,
  uid: string,
  { type, reason, action, note }: AgentNews,
  api: KubernetesApi,
  flow: Flow,
): Promise<void> {
  const { apiVersion, kind, name, namespace } = nameOfSource(source);
  const metadata = {
    name: `${name}.${Date.now().toString(16)}${randomBytes(2).toString('hex')}`,
    namespace: namespace ?? EVENTS,
  };
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata,
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: 'solpack-agent',
    reportingInstance: hostname().slice(0, 128),
    action,
    reason,
    type,
    note: note.length > NOTE ? `${note.slice(0, NOTE - 1)}…` : note,
    regarding: { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) },
  };
  await api.apply(event, { manager: MANAGER }, flow.signal);
}
