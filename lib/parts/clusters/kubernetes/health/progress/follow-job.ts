import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, type Flow, isErrorCode, SolpackError } from '../../../../../kernel/events/index.ts';
import {
  ApiError,
  conditionOf,
  fieldAt,
  hasCondition,
  type KubernetesApi,
  type LiveObject,
  listAt,
  type ObjectName,
  saysOf,
  textAt,
  wordsOf,
} from '../../server/index.ts';
import { WHOLE_PROGRESS } from './board.ts';
import { type ComponentProgress, type RunProgress, storedProgress } from './document.ts';

/** A Job that is followed. */
export interface FollowedJob {
  readonly name: ObjectName;
  /** The ConfigMap with its progress, in its namespace. */
  readonly progress: string;
  /** When it has to have ended, as `performance.now()` counts. */
  readonly end: number;
  /** Milliseconds between two looks. */
  readonly poll: number;
}

/** How a Job that installs has ended. */
export interface LoaderRun {
  readonly namespace: string;
  readonly job: string;
  /** How many of its Pods have begun an install. */
  readonly attempt: number;
  readonly components: readonly ComponentProgress[];
}

/** What was seen of a Job so far. */
interface Seen {
  progress: RunProgress | undefined;
  /** What keeps its newest Pod from running, or how it ended. */
  trouble: string | undefined;
  readonly notices: Set<string>;
}

/**
 * Follows a Job until it has ended, and reports how far its install has come. Throws the error that the install ended
 * with, or `object-not-ready` with what is known: killed, evicted, never scheduled, gone, or not in time.
 */
export async function followJob(api: KubernetesApi, followed: FollowedJob, flow: Flow): Promise<LoaderRun> {
  const seen: Seen = { progress: undefined, trouble: undefined, notices: new Set() };
  for (let wasThere = false; ; ) {
    try {
      const job = await api.read(followed.name, flow.signal);
      if (job === undefined && wasThere) throw endless(followed, 'was deleted by somebody', seen);
      wasThere ||= job !== undefined;
      await look(api, followed, seen, flow);
      if (hasCondition(job, 'Complete', 'True')) return ended(followed, seen);
      const failed = conditionOf(job, 'Failed');
      if (failed?.status === 'True') throw failure(followed, saysOf(failed), seen);
    } catch (error) {
      flow.signal.throwIfAborted();
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 429)) throw error;
      notice(seen, wordsOf(followed.name), `the API server does not answer (${error.message}); waiting for it`, flow);
    }
    if (performance.now() > followed.end) throw endless(followed, 'has not ended in time', seen);
    await sleep(followed.poll, undefined, { signal: flow.signal });
  }
}

async function look(api: KubernetesApi, { name, progress }: FollowedJob, seen: Seen, flow: Flow): Promise<void> {
  const { signal } = flow;
  const { namespace } = name;
  const map = await api.read({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: progress }, signal);
  const found = storedProgress(fieldAt(map, 'data', WHOLE_PROGRESS));
  // What an earlier Job has reported is still there until this one has begun.
  if (found?.runner.startsWith(`${name.name}-`)) {
    report(seen.progress, found, flow);
    seen.progress = found;
  }
  const resource = (await api.discover(signal)).find('v1', 'Pod');
  if (resource === undefined) return;
  const labels = `batch.kubernetes.io/job-name=${name.name}`;
  for (const pod of await api.list(resource, { namespace: namespace!, labels }, signal)) {
    const trouble = troubleOf(pod);
    if (trouble === undefined) continue;
    seen.trouble = `Pod ${pod.metadata.name} ${trouble}`;
    notice(seen, `Pod ${namespace}/${pod.metadata.name}`, trouble, flow);
  }
}

/** Reports what is new in the progress of an install, as the install itself does where it runs. */
function report(before: RunProgress | undefined, now: RunProgress, { onEvent }: Flow): void {
  if (now.attempt !== before?.attempt && now.attempt > 1 && now.reason !== undefined) {
    onEvent({ type: 'notice', subject: now.runner, message: `begins attempt ${now.attempt}: ${now.reason}` });
  }
  if (now.step !== before?.step && now.step !== undefined) {
    const [step = '', ...subject] = now.step.split(' ');
    onEvent({ type: 'step', step, subject: subject.join(' ') });
  }
  for (const one of now.components) {
    const same = before?.components.find(
      ({ solution, component }) => solution === one.solution && component === one.component,
    );
    if (same?.state === one.state && same.reason === one.reason) continue;
    const { since: _, reason, ...known } = one;
    onEvent({ type: 'component', ...known, ...(reason === undefined ? {} : { reason }) });
  }
}

/** Says what keeps a Pod from running, or that it was ended from outside; undefined where nothing does. */
function troubleOf(pod: LiveObject): string | undefined {
  const disrupted = conditionOf(pod, 'DisruptionTarget');
  const reason = textAt(pod, 'status', 'reason');
  if (disrupted?.status === 'True' || reason === 'Evicted') {
    const words = textAt(pod, 'status', 'message') || (disrupted === undefined ? reason : saysOf(disrupted));
    return `is evicted: ${words}`;
  }
  const phase = textAt(pod, 'status', 'phase');
  if (phase !== 'Pending' && phase !== '') return undefined;
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return `is not scheduled: ${saysOf(scheduled)}`;
  const statuses = [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')];
  for (const status of statuses) {
    const waiting = fieldAt(status, 'state', 'waiting');
    const why = textAt(waiting, 'reason');
    if (why === '' || why === 'PodInitializing' || why === 'ContainerCreating') continue;
    return `does not start: ${why}${textAt(waiting, 'message') && `: ${textAt(waiting, 'message')}`}`;
  }
  return undefined;
}

function notice({ notices }: Seen, subject: string, message: string, { onEvent }: Flow): void {
  if (notices.has(`${subject} ${message}`)) return;
  notices.add(`${subject} ${message}`);
  onEvent({ type: 'notice', subject, message });
}

function ended({ name }: FollowedJob, { progress }: Seen): LoaderRun {
  const { attempt = 1, components = [] } = progress ?? {};
  return { namespace: name.namespace!, job: name.name, attempt, components };
}

/** The error of a Job that failed: that of its install, where this has reported one. */
function failure(followed: FollowedJob, condition: string, seen: Seen): SolpackError {
  const { progress } = seen;
  const subject = wordsOf(followed.name);
  const code = progress?.state === 'failed' ? progress.code : undefined;
  const reason = progress?.state === 'running' ? undefined : progress?.reason;
  const hint = 'correct that, and run the same command again: it makes the Job again';
  const known: ErrorCode = code !== undefined && isErrorCode(code) ? code : 'object-not-ready';
  return new SolpackError(known, subject, `failed: ${reason ?? seen.trouble ?? condition}`, { hint });
}

function endless({ name, progress }: FollowedJob, what: string, seen: Seen): SolpackError {
  const step = seen.progress?.state === 'running' ? seen.progress.step : undefined;
  const last = seen.trouble ?? (step === undefined ? undefined : `its last step is ${step}`);
  const hint = `"kubectl get -n ${name.namespace} configmap/${progress} -o yaml" shows its progress; run the same command again to follow it`;
  return new SolpackError('object-not-ready', wordsOf(name), `${what}${last === undefined ? '' : `: ${last}`}`, {
    hint,
  });
}
