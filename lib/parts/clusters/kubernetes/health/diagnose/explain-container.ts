import { fieldAt, type LiveObject, numberAt, oneLine, textAt } from '../../server/index.ts';
import { type Cause, type Container, kubectl } from './cause.ts';
import { containerEnded, containerNotStarted } from './container-exit.ts';
import { timeOf } from './events.ts';
import { isImageReason, withoutImage } from './images.ts';

/** Explains what is wrong with a container; undefined where nothing is, or nothing is known yet. */
export function explainContainer(container: Container): Cause | undefined {
  const { status, who } = container;
  const reason = textAt(status, 'state', 'waiting', 'reason');
  const message = textAt(status, 'state', 'waiting', 'message');
  if (isImageReason(reason)) return withoutImage(who, imageOf(container), reason, message);
  if (reason === 'CreateContainerConfigError') return misconfigured(container, message);
  const killed = killedByProbe(container);
  if (killed !== undefined) return killed;
  if (reason === 'CrashLoopBackOff') return containerEnded(container, 'lastState');
  if (reason.endsWith('Error')) return containerNotStarted(container, message || reason);
  if (fieldAt(status, 'state', 'terminated') !== undefined) return containerEnded(container, 'state');
  if (fieldAt(status, 'state', 'running') === undefined || fieldAt(status, 'ready') === true) return undefined;
  return probed(container) ?? containerEnded(container, 'lastState');
}

/** Returns the image as the author wrote it: in the status, the runtime writes its own name for it. */
function imageOf({ spec, status }: Container): string {
  return textAt(spec, 'image') || textAt(status, 'image');
}

function misconfigured({ who, pod }: Container, message: string): Cause {
  const missing = /^(secret|configmap) "([^"]*)" not found/.exec(message);
  const kind = missing?.[1] === 'secret' ? 'Secret' : 'ConfigMap';
  const namespace = pod.metadata.namespace ?? 'default';
  const hint = missing
    ? `create ${kind} ${missing[2]} in namespace ${namespace}, or add it to this component or an earlier one`
    : 'correct the env and envFrom of the container, or what they refer to';
  return { cause: `${who} cannot be configured: ${oneLine(message)}`, hint };
}

function killedByProbe({ status, events, who, pod, name }: Container): Cause | undefined {
  const killing = events.findLast((event) => textAt(event, 'reason') === 'Killing');
  const probe = /failed (liveness|startup) probe/.exec(textAt(killing, 'message'))?.[1];
  if (probe === undefined || fieldAt(status, 'ready') === true) return undefined;
  const why = lastProbe(events, probe);
  const times = numberAt(status, 'restartCount') ?? 0;
  return {
    cause: `${who} is killed again and again (${times} restarts) because its ${probe} probe fails: ${why?.said ?? 'no answer'}`,
    hint: `correct the probe, or give it more time; "${kubectl(pod)} logs ${pod.metadata.name} -c ${name} --previous" shows what it did`,
  };
}

/** Explains a running container whose probes fail; undefined where it has ended since they last failed. */
function probed({ status, events, who, pod, name }: Container): Cause | undefined {
  const kind = fieldAt(status, 'started') === false ? 'startup' : 'readiness';
  const last = lastProbe(events, kind);
  if (last === undefined || last.time < Date.parse(textAt(status, 'lastState', 'terminated', 'finishedAt'))) {
    return undefined;
  }
  return {
    cause: `${who} runs, but its ${kind} probe fails: ${last.said}`,
    hint: `correct the probe, or the answer of the container; "${kubectl(pod)} logs ${pod.metadata.name} -c ${name}" shows what it does`,
  };
}

function lastProbe(events: readonly LiveObject[], probe: string): { said: string; time: number } | undefined {
  const saidIn = (event: LiveObject): string | undefined => {
    if (textAt(event, 'reason') !== 'Unhealthy') return undefined;
    const [, kind, said] = /^(\w+) probe (?:failed|errored)[^:]*: (.*)/is.exec(textAt(event, 'message')) ?? [];
    return kind?.toLowerCase() === probe ? said : undefined;
  };
  const event = events.findLast((one) => saidIn(one) !== undefined);
  return event && { said: oneLine(saidIn(event)!), time: timeOf(event) };
}
