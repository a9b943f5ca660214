import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { isObjectProbe, probeQuestion } from '../../../../../formats/solution/ready-probe.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import type { PlannedObject } from '../desired/index.ts';
import { type ApplySession, type LiveObject, wordsOf } from '../server/index.ts';
import { type Diagnosis, diagnose, lookAt } from './diagnose/index.ts';
import type { Probed } from './probes/index.ts';
import { type Readiness, readinessContext, readinessOf } from './readiness/index.ts';

/** An object that is waited for, as it was last seen. */
export interface Awaited {
  readonly planned: PlannedObject;
  /** Undefined until it is seen for the first time. */
  live: LiveObject | undefined;
  /** As it was a moment ago, where that was not judged yet. */
  fresh: LiveObject | undefined;
  state: Readiness['state'];
  message: string;
}

/**
 * Kinds whose objects explain most why something is not ready, as `group/Kind`: objects of other kinds wait for these.
 */
const telling: readonly string[] = [
  '/Pod',
  'batch/Job',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  '/ReplicationController',
  'apiextensions.k8s.io/CustomResourceDefinition',
  '/PersistentVolumeClaim',
];

/**
 * Chooses the object whose cause is looked for: a failed one before a late one, workloads before what waits for them.
 */
export function mostTelling<T extends Pick<Awaited, 'state' | 'planned'>>(all: readonly T[]): T | undefined {
  const rank = ({ state, planned: { name } }: T): number => {
    const at = telling.indexOf(`${groupOf(name)}/${name.kind}`);
    return (state === 'failed' ? 0 : telling.length + 1) + (at < 0 ? telling.length : at);
  };
  return all.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Finds out why an object is not ready. Returns its own message where it does not exist. */
export async function causeOf({ live, message }: Awaited, { api, flow: { signal } }: ApplySession): Promise<Diagnosis> {
  if (live !== undefined) return diagnose(api, live, signal);
  return { cause: message, events: [], hint: 'find out who or what removes it; then run the same command again' };
}

/**
 * Finds out why a probe does not hold: the expression with the values found, and what is wrong with the object that it
 * looks at.
 */
export async function causeOfProbe(
  { live, message, probe }: Pick<Probed, 'live' | 'message' | 'probe'>,
  { api, flow: { signal } }: ApplySession,
): Promise<Diagnosis> {
  const words = live === undefined ? `${probeQuestion(probe)}: ${message}` : message;
  const absent = isObjectProbe(probe)
    ? 'check that the controller that creates it runs, and read its log'
    : 'check that Pods of the Service are ready, and that the API server reaches them';
  const hint = live === undefined ? absent : lookAt(live);
  if (live === undefined || readinessOf(live, await readinessContext(api, live, signal)).state === 'ready') {
    return { cause: words, events: [], hint };
  }
  const own = await diagnose(api, live, signal);
  return { ...own, cause: `${words}; ${own.cause}` };
}

/** Where and when something did not become ready. */
export interface Circumstances {
  readonly solution: string;
  readonly component: string;
  /** Milliseconds since it was applied. */
  readonly elapsed: number;
  /** How many other objects of the component are not ready. */
  readonly others: number;
  /** The version that was there before; undefined where there was none. */
  readonly previous: string | undefined;
}

/** Returns the error about an object that did not become ready. */
export function notReady(
  { planned: { name }, state }: Pick<Awaited, 'planned' | 'state'>,
  diagnosis: Diagnosis,
  where: Circumstances,
): SolpackError {
  return unready({ subject: wordsOf(name), state }, diagnosis, where);
}

/** Returns the error about a probe that does not hold. */
export function unmetProbe(
  { subject, state }: Pick<Probed, 'subject' | 'state'>,
  diagnosis: Diagnosis,
  where: Circumstances,
): SolpackError {
  return unready({ subject, state }, diagnosis, where);
}

function unready(
  { subject, state }: Pick<Probed, 'subject' | 'state'>,
  { cause, events, hint }: Diagnosis,
  { solution, component, elapsed, others, previous }: Circumstances,
): SolpackError {
  const when = `${state === 'failed' ? 'failed' : 'not ready'} after ${Math.round(elapsed / 1000)} s`;
  const last = events.length === 0 ? '' : `; last events: ${events.join('; ')}`;
  const more = others === 0 ? '' : `; ${others} more of its objects ${others === 1 ? 'is' : 'are'} not ready`;
  const still = previous === undefined ? '' : `; nothing of ${solution} ${previous} was removed`;
  return new SolpackError(
    'object-not-ready',
    subject,
    `component ${component} of ${solution}: ${when}: ${cause}${last}${more}`,
    { hint: `${hint}${still}` },
  );
}
