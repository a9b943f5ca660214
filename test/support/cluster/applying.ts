import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import type { ApplyRequest, ApplyResult } from '../../../lib/parts/clusters/kind.ts';
import { applyRequest } from '../../../lib/parts/clusters/kubernetes/apply/apply-request.ts';
import { RECORD_KIND } from '../../../lib/parts/clusters/kubernetes/memory/records/secrets.ts';
import type { KubernetesApi, LiveObject } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { clusterError } from '../../../lib/parts/clusters/kubernetes/server/client/failure.ts';
import type { ApplySession, ApplyTiming } from '../../../lib/parts/clusters/kubernetes/server/session.ts';
import { testFlow } from '../flow.ts';
import type { MemoryCluster } from './index.ts';

/** What became of a request. */
export interface Told {
  readonly result?: ApplyResult;
  /** What a user is reported; any other error is a bug, and thrown. */
  readonly error?: SolpackError;
  /** What became of each object, by its words. */
  readonly actions: Readonly<Record<string, string>>;
  /**
   * `step subject`, of notices `note subject: message`, and of components with a reason `component name: reason`, in
   * order.
   */
  readonly events: readonly string[];
}

/** Times for a cluster that does at once whatever it does. */
export const prompt: ApplyTiming = { poll: 0, patience: 10_000, removal: 10_000, lease: 10_000 };

/** How a request is applied. */
export interface Manner {
  readonly timing?: Partial<ApplyTiming>;
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

/** Applies a request as install does. */
export async function applyTo(api: KubernetesApi, request: ApplyRequest, manner: Manner = {}): Promise<Told> {
  const flow = testFlow();
  const told = (): readonly string[] =>
    flow.events.flatMap((event) => {
      if (event.type === 'step') return [`${event.step} ${event.subject}`];
      if (event.type === 'component' && event.reason !== undefined) {
        return [`component ${event.component}: ${event.reason}`];
      }
      return event.type === 'notice' ? [`note ${event.subject}: ${event.message}`] : [];
    });
  const session: ApplySession = {
    api,
    flow: { ...flow, signal: manner.signal ?? flow.signal },
    timing: { ...prompt, ...manner.timing },
    force: manner.force ?? false,
  };
  try {
    const result = await applyRequest(request, session);
    const objects = [...result.solutions, ...result.removed].flatMap((one) => one.objects);
    const actions = Object.fromEntries(objects.map(({ object, action }) => [object, action]));
    return { result, actions, events: told() };
  } catch (reason) {
    const error = manner.signal?.aborted ? reason : clusterError(reason, api.server);
    if (!(error instanceof SolpackError)) throw error;
    return { error, actions: {}, events: told() };
  }
}

/** The kinds of records of generations. */
const generations: ReadonlySet<string> = new Set(['generation', 'content']);

/** All that is in a cluster once its controllers rest, without what differs between two that came to be alike. */
export function contentOf(cluster: MemoryCluster): Record<string, unknown> {
  cluster.rest();
  // How often it was tried, and when, is different where a run ended on its way.
  const lasting = cluster.objects().filter(({ metadata: { labels } }) => !generations.has(labels?.[RECORD_KIND] ?? ''));
  const content = lasting.map((object): [string, unknown] => {
    const { apiVersion, kind, metadata, ...rest } = object;
    // Uids and times are in it, of which no two clusters have the same.
    if (metadata.labels?.[RECORD_KIND] === 'applied') return [placeOf(object), 'is there'];
    const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields = [], ...own } = metadata;
    const fields = managedFields.map(({ time: ____, ...one }) => one);
    return [placeOf(object), { apiVersion, kind, ...rest, metadata: { ...own, managedFields: fields } }];
  });
  return Object.fromEntries(content);
}

/** The version of each object of a cluster. */
export function versionsOf(cluster: MemoryCluster): Record<string, string> {
  return Object.fromEntries(
    cluster.objects().map((object) => [placeOf(object), `${object.metadata.uid} ${object.metadata.resourceVersion}`]),
  );
}

function placeOf({ kind, metadata: { name, namespace = '' } }: LiveObject): string {
  return `${kind} ${namespace}/${name}`;
}
