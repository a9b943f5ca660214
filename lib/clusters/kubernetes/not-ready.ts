import { groupOf } from '../../../formats/manifest/namespace.ts';
import { SolpackError } from '../../errors.ts';
import { type LiveObject, wordsOf } from './api.ts';
import { type Diagnosis, diagnose } from './diagnose/index.ts';
import type { PlannedObject } from './plan.ts';
import type { Readiness } from './readiness/index.ts';
import type { ApplySession } from './session.ts';

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
  return { cause: message, events: [], hint: 'see who or what removes it; then run the same command again' };
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
  { cause, events, hint }: Diagnosis,
  { solution, component, elapsed, others, previous }: Circumstances,
): SolpackError {
  const when = `${state === 'failed' ? 'failed' : 'not ready'} after ${Math.round(elapsed / 1000)} s`;
  const last = events.length === 0 ? '' : `; last events: ${events.join('; ')}`;
  const more = others === 0 ? '' : `; ${others} more of its objects ${others === 1 ? 'is' : 'are'} not ready`;
  const still = previous === undefined ? '' : `; nothing of ${solution} ${previous} was removed`;
  return new SolpackError(
    'object-not-ready',
    wordsOf(name),
    `component ${component} of ${solution}: ${when}: ${cause}${last}${more}`,
    { hint: `${hint}${still}` },
  );
}
