import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import type { Event } from '../../../lib/kernel/events/events.ts';
import {
  ApiError,
  type ApplyOptions,
  type KubernetesApi,
  type ObjectName,
} from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { clusterError, isImmutable } from '../../../lib/parts/clusters/kubernetes/server/client/failure.ts';
import { connect } from '../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { factsOf } from '../../../lib/parts/clusters/kubernetes/server/cluster-facts.ts';

/** One call of the client. */
export type Step =
  | { readonly apply: KubernetesObject; readonly options?: ApplyOptions }
  | { readonly read: ObjectName }
  | { readonly remove: ObjectName; readonly uid?: string }
  | {
      readonly list: readonly [apiVersion: string, kind: string];
      readonly namespace?: string;
      readonly labels?: string;
    }
  | { readonly log: readonly [namespace: string, name: string, container: string]; readonly lines: number }
  /** Waits until a kind is served. */
  | { readonly served: readonly [apiVersion: string, kind: string] }
  | { readonly facts: true };

/** What became of a step. */
export interface Done {
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the API returned
  readonly value?: any;
  readonly error?: {
    readonly code: string;
    readonly subject: string;
    readonly message: string;
    readonly hint?: string;
  };
  readonly immutable?: boolean;
}

/** What became of all. */
export interface Outcome {
  readonly done: readonly Done[];
  readonly notices: readonly string[];
}

const { signal } = new AbortController();

/** Connects, and makes the calls one after another. A failure to connect is the only outcome. */
export async function calls(request: { kubeconfig: string; steps: readonly Step[] }): Promise<Outcome> {
  const events: Event[] = [];
  const flow = { signal, onEvent: (event: Event) => void events.push(event), host: { path: [], temp: tmpdir() } };
  const done: Done[] = [];
  try {
    const api = await connect(request.kubeconfig, flow);
    for (const step of request.steps) done.push(await outcome(api, step));
    await api.close();
  } catch (error) {
    done.push({ error: told(error) });
  }
  const notices = events.flatMap((event) => (event.type === 'notice' ? [`${event.subject}: ${event.message}`] : []));
  return { done, notices };
}

async function outcome(api: KubernetesApi, step: Step): Promise<Done> {
  try {
    return { value: await made(api, step) };
  } catch (error) {
    const immutable = error instanceof ApiError && isImmutable(error);
    return { error: told(clusterError(error, api.server)), immutable };
  }
}

async function made(api: KubernetesApi, step: Step): Promise<unknown> {
  if ('apply' in step) return api.apply(step.apply, step.options ?? {}, signal);
  if ('read' in step) return (await api.read(step.read, signal)) ?? null;
  if ('remove' in step) {
    const uid = step.uid === undefined ? {} : { uid: step.uid };
    return api.remove(step.remove, { ...uid, propagation: 'Background' }, signal);
  }
  if ('log' in step) {
    const [namespace, name, container] = step.log;
    return api.log({ namespace, name }, container, { lines: step.lines }, signal);
  }
  if ('served' in step) {
    // Clock: between two tries.
    while (!(await api.discover(signal, true)).find(...step.served)) await sleep(50);
    return true;
  }
  const discovery = await api.discover(signal);
  if ('list' in step) {
    const { list, namespace, labels } = step;
    const filter = { ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) };
    return api.list(discovery.find(...list)!, filter, signal);
  }
  const { version, apiVersions } = factsOf(discovery);
  return { version, apiVersions };
}

function told(error: unknown): NonNullable<Done['error']> {
  if (!(error instanceof SolpackError)) throw error;
  const { code, subject, message, hint } = error;
  return { code, subject, message, ...(hint === undefined ? {} : { hint }) };
}
