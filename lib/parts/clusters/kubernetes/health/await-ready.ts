import type { ReadyProbe } from '../../../../../formats/solution/ready-probe.ts';
import { pool, type SolpackError } from '../../../../kernel/events/index.ts';
import { objectKey, PART_OF, type PlannedObject } from '../desired/index.ts';
import {
  ApiError,
  type ApplySession,
  fieldAt,
  glanceAt,
  isDefinition,
  type LiveObject,
  nameOf,
  now,
  orRefusal,
  pause,
  wordsOf,
} from '../server/index.ts';
import { type Awaited, causeOf, causeOfProbe, mostTelling, notReady, unmetProbe } from './not-ready.ts';
import { type AskedProbe, askProbes, isProbed } from './probes/index.ts';
import type { ComponentCourse } from './progress/index.ts';
import { type Readiness, readinessContext, readinessOf } from './readiness/index.ts';

/** The Solution to wait for, and the version that was there before. */
export interface Watched {
  readonly name: string;
  readonly previous: string | undefined;
  /** What hears how far components have come; left out where nobody does. */
  readonly course?: ComponentCourse;
}

/** Waits for applied objects to become ready. */
export interface ReadinessWatch {
  /**
   * Begins to wait for objects of a component, which may take `timeout` milliseconds from now. `applied` are objects as
   * they were a moment ago, by their keys, and need no look to begin with. `probes` are what the component says of its
   * own readiness.
   */
  add(
    component: string,
    objects: readonly PlannedObject[],
    timeout: number,
    applied?: ReadonlyMap<string, LiveObject>,
    probes?: readonly ReadyProbe[],
  ): void;
  /**
   * Resolves when these components are ready, or all that were added, to how often it had to look again. Throws
   * `object-not-ready`, also about the others.
   */
  until(components?: readonly string[]): Promise<number>;
  /** Returns whether something of a component is still waited for. */
  isOpen(component: string): boolean;
}

/** Which part of the patience passes until a cause is looked for the first time. */
const MOMENT = 0.3;

/** How many polls of definitions are left out while discovery is looked at. */
const GLANCES = 3;

/** How many objects of one kind are asked for together. */
const TOGETHER = 4;

/** Objects that were applied together. */
interface Batch {
  readonly component: string;
  readonly since: number;
  readonly timeout: number;
  waiting: readonly Awaited[];
  /** What the component says of its own readiness, as far as it does not hold yet. */
  asking: readonly AskedProbe[];
  /** When one of them last changed, or somebody was reported why they wait. */
  stirred: number;
  /** When their cause was last looked for since then; undefined where it was not. */
  looked: number | undefined;
  /** The last error of the server, where it answered with one instead of an object. */
  failure: ApiError | undefined;
}

/** Waits for the objects of one Solution. Reports each change, and each cause that is found before the timeout. */
export function watchReadiness(solution: Watched, session: ApplySession): ReadinessWatch {
  const batches: Batch[] = [];
  const reported = new Set<string>();
  const open = (components?: readonly string[]): boolean =>
    batches.some((batch) => isOpen(batch) && (components?.includes(batch.component) ?? true));
  return {
    add: (component, objects, timeout, applied, probes = []) => {
      const unprobed = objects.filter((planned) => !isProbed(planned, probes));
      const asking = probes.map((probe): AskedProbe => ({ probe, probed: undefined }));
      const waiting = unprobed.map((planned): Awaited => {
        return { planned, live: undefined, fresh: applied?.get(planned.key), state: 'waiting', message: '' };
      });
      batches.push({
        component,
        since: now(),
        timeout,
        waiting,
        asking,
        stirred: now(),
        looked: undefined,
        failure: undefined,
      });
    },
    until: async (components) => {
      let again = 0;
      while (open(components)) {
        for (const batch of batches) {
          await lookAll(batch, solution, session);
          batch.asking = await askProbes(batch, solution, session);
          await judge(batch, solution, session);
          await reportCause(batch, reported, solution, session);
        }
        solution.course?.ready((component) => open([component]));
        if (!open(components)) continue;
        again += 1;
        await rest(batches, session);
      }
      return again;
    },
    isOpen: (component) => open([component]),
  };
}

/**
 * Waits for a while. Definitions are ready as soon as their kinds are served, and are read only where that takes long.
 */
async function rest(batches: readonly Batch[], session: ApplySession): Promise<void> {
  const { poll } = session.timing;
  const waiting = batches.flatMap((batch) => (isOpen(batch) ? batch.waiting : []));
  const definitions = waiting.map(({ planned: { object } }) => object).filter(isDefinition);
  // Others are not to wait for longer than without them.
  const isAlone = definitions.length === waiting.length && batches.every(({ asking }) => asking.length === 0);
  if (!isAlone || poll === 0) return pause(poll, session);
  const served = await glanceAt(definitions, poll * GLANCES, session);
  for (const batch of batches) batch.waiting = batch.waiting.filter(({ planned }) => !served.has(planned.object));
}

function isOpen({ waiting, asking }: Batch): boolean {
  return waiting.length + asking.length > 0;
}

async function lookAll(batch: Batch, { course }: Watched, session: ApplySession): Promise<void> {
  batch.failure = undefined;
  await lookTogether(batch.waiting, session);
  await pool(batch.waiting, { signal: session.flow.signal }, async (awaited, signal) => {
    const seen = await orRefusal(() => seenNow(awaited, signal, session), signal);
    if (seen instanceof ApiError) batch.failure = seen;
    const { state, message } =
      seen instanceof ApiError ? { ...awaited, message: `cannot be read: ${seen.message}` } : seen;
    if (message !== awaited.message) {
      batch.stirred = now();
      batch.looked = undefined;
      const subject = `${wordsOf(awaited.planned.name)}: ${message}`;
      if (state !== 'ready') {
        session.flow.onEvent({ type: 'step', step: 'wait', subject });
        course?.tell(batch.component, 'waiting', subject);
      }
    }
    awaited.state = state;
    awaited.message = message;
  });
  batch.waiting = batch.waiting.filter(({ state }) => state !== 'ready');
}

/** Asks once for objects of one kind where there are many, so that none of them has to be asked for alone. */
async function lookTogether(waiting: readonly Awaited[], { api, flow: { signal } }: ApplySession): Promise<void> {
  const unseen = waiting.filter(({ fresh }) => fresh === undefined);
  const alike = Map.groupBy(unseen, ({ planned: { name, set } }) => `${name.apiVersion} ${name.kind} ${set}`);
  for (const group of alike.values()) {
    const { name, set } = group[0]!.planned;
    const resource =
      group.length < TOGETHER ? undefined : (await api.discover(signal)).find(name.apiVersion, name.kind);
    if (resource === undefined) continue;
    const listed = await orRefusal(() => api.list(resource, { labels: `${PART_OF}=${set}` }, signal), signal);
    if (listed instanceof ApiError) continue;
    const found = new Map(listed.map((live) => [objectKey(nameOf(live)), live]));
    // What is not among them may have lost its label.
    for (const awaited of group) awaited.fresh = found.get(awaited.planned.key);
  }
}

async function seenNow(awaited: Awaited, signal: AbortSignal, { api }: ApplySession): Promise<Readiness> {
  const live = awaited.fresh ?? (await api.read(awaited.planned.name, signal));
  awaited.live = live;
  awaited.fresh = undefined;
  if (live !== undefined) return readinessOf(live, await readinessContext(api, live, signal));
  // A Job with a time to live may be gone before anybody looks.
  const brief = fieldAt(awaited.planned.object, 'spec', 'ttlSecondsAfterFinished') !== undefined;
  return brief ? { state: 'ready', message: 'has ended' } : { state: 'waiting', message: 'no longer exists' };
}

async function judge(batch: Batch, { name, previous, course }: Watched, session: ApplySession): Promise<void> {
  const { component, waiting, since, timeout, failure } = batch;
  const late = now() >= since + timeout;
  const worst = mostTelling(waiting);
  if (late && failure !== undefined && isOpen(batch)) throw failure;
  const elapsed = now() - since;
  const unmet = batch.asking[0]?.probed;
  const where = { solution: name, component, elapsed, previous, others: waiting.length + batch.asking.length - 1 };
  let error: SolpackError;
  if (worst !== undefined && (late || worst.state === 'failed')) {
    error = notReady(worst, await causeOf(worst, session), where);
  } else if (late && unmet !== undefined) {
    error = unmetProbe(unmet, await causeOfProbe(unmet, session), where);
  } else return;
  course?.tell(component, 'failed', error.summary);
  throw error;
}

/**
 * Reports a cause long before the timeout: of the component after a moment without a change, and as a notice where
 * nothing has moved for a while.
 */
async function reportCause(
  batch: Batch,
  reported: Set<string>,
  { course }: Watched,
  session: ApplySession,
): Promise<void> {
  const worst = mostTelling(batch.waiting);
  const unmet = batch.asking[0]?.probed;
  const { patience } = session.timing;
  const isLate = now() >= batch.stirred + patience;
  if (!isLate && (batch.looked !== undefined || now() < batch.stirred + patience * MOMENT)) return;
  if (worst === undefined && unmet === undefined) return;
  const { cause } = worst ? await causeOf(worst, session) : await causeOfProbe(unmet!, session);
  const subject = worst ? wordsOf(worst.planned.name) : unmet!.subject;
  course?.tell(batch.component, 'waiting', `${subject}: ${cause}`);
  batch.looked = now();
  if (!isLate) return;
  if (!reported.has(`${subject} ${cause}`)) session.flow.onEvent({ type: 'notice', subject, message: cause });
  reported.add(`${subject} ${cause}`);
  batch.stirred = now();
}
