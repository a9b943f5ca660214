import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { type Flow, SolpackError } from '../../../../../kernel/events/index.ts';
import {
  clusterError,
  connect,
  hasCondition,
  type KubernetesApi,
  type KubernetesOptions,
  type LiveObject,
  nameOf,
  wordsOf,
} from '../../server/index.ts';
import { type FollowedJob, followJob, type LoaderRun } from './follow-job.ts';

/** A Job that installs, with what it needs, and the ConfigMap that it reports its progress in. */
export interface LoaderRequest extends Pick<KubernetesOptions, 'kubeconfig' | 'env'> {
  /** What has to be there before the Job, in that order. */
  readonly objects: readonly KubernetesObject[];
  readonly job: KubernetesObject;
  /** The ConfigMap with its progress, in the namespace of the Job. */
  readonly progress: string;
  /** Milliseconds within which the Job has to end. */
  readonly limit: number;
  /** What is made once the Job has ended well. */
  readonly afterwards: readonly KubernetesObject[];
}

/** Milliseconds between two looks. */
const POLL = 1_000;

/** Who sets the fields of what this makes. */
const BOOT_MANAGER = 'solpack-boot';

/** The label that finds Jobs of loaders, whatever their content. */
const NAME_LABEL = 'app.kubernetes.io/name';

/**
 * Makes a Job that installs, after what it needs, and follows it until it has ended. A Job of the same content that
 * runs is followed as it is; one that has ended is made again, and one of another content is ended first: no two
 * loaders are at work at once. While the API server does not answer, it is waited for. Throws the error that the
 * install ended with, `object-not-ready` where the Job ended without a word or not within `limit`, and what the server
 * refuses.
 */
export async function runLoader(request: LoaderRequest, flow: Flow): Promise<LoaderRun> {
  const api = await connect(request.kubeconfig, flow, undefined, request.env);
  try {
    return await loadBy(api, request, flow);
  } catch (error) {
    flow.signal.throwIfAborted();
    throw clusterError(error, api.server);
  } finally {
    await api.close();
  }
}

/** Does the same over a connection that is open. `poll` is how many milliseconds pass between two looks. */
export async function loadBy(
  api: KubernetesApi,
  { objects, job, progress, limit, afterwards }: Omit<LoaderRequest, 'kubeconfig' | 'env'>,
  flow: Flow,
  poll: number = POLL,
): Promise<LoaderRun> {
  const end = performance.now() + limit;
  for (const object of objects) await put(api, object, flow);
  const followed: FollowedJob = { name: nameOf(job), progress, end, poll };
  if (await isRunning(api, job, followed, flow)) {
    const message = 'still runs, and is followed';
    flow.onEvent({ type: 'notice', subject: wordsOf(followed.name), message });
  } else {
    await put(api, job, flow);
  }
  const run = await followJob(api, followed, flow);
  for (const object of afterwards) await put(api, object, flow);
  return run;
}

async function put(api: KubernetesApi, object: KubernetesObject, { signal, onEvent }: Flow): Promise<void> {
  onEvent({ type: 'step', step: 'apply', subject: wordsOf(nameOf(object)) });
  await api.apply(object, { manager: BOOT_MANAGER, force: true }, signal);
}

/** Ends all Jobs of loaders but the one of this content that runs; returns whether there is that one. */
async function isRunning(
  api: KubernetesApi,
  job: KubernetesObject,
  { end, poll }: FollowedJob,
  { signal, onEvent }: Flow,
): Promise<boolean> {
  const name = nameOf(job);
  const resource = (await api.discover(signal)).find(name.apiVersion, name.kind);
  const label = (job.metadata['labels'] as Readonly<Record<string, string>>)[NAME_LABEL];
  if (resource === undefined || name.namespace === undefined) return false;
  const all = await api.list(resource, { namespace: name.namespace, labels: `${NAME_LABEL}=${label}` }, signal);
  let running = false;
  for (const live of all) {
    const one = { ...name, name: live.metadata.name };
    if (one.name === name.name && !hasEnded(live) && live.metadata.deletionTimestamp === undefined) {
      running = true;
      continue;
    }
    onEvent({ type: 'step', step: 'delete', subject: wordsOf(one) });
    // In the foreground: its Pods have gone when it has.
    await api.remove(one, { uid: live.metadata.uid, propagation: 'Foreground' }, signal);
    while ((await api.read(one, signal))?.metadata.uid === live.metadata.uid) {
      if (performance.now() > end) throw lasting(wordsOf(one));
      await sleep(poll, undefined, { signal });
    }
  }
  return running;
}

function hasEnded(job: LiveObject): boolean {
  return ['Complete', 'Failed'].some((type) => hasCondition(job, type, 'True'));
}

function lasting(subject: string): SolpackError {
  return new SolpackError('object-not-ready', subject, 'is an earlier loader, and was not gone in time', {
    hint: 'find out what keeps its Pods, such as a node that does not answer; then run the same command again',
  });
}
