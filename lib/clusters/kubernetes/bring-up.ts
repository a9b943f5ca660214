import { isDeepStrictEqual } from 'node:util';
import { groupOf } from '../../../formats/manifest/namespace.ts';
import { pool } from '../../flow.ts';
import type { AppliedObject } from '../kind.ts';
import { type LiveObject, wordsOf } from './api.ts';
import { applyObject } from './apply-object.ts';
import { type ReadinessWatch, watchReadiness } from './await-ready.ts';
import { type FinishedJobs, noteFinishedJobs } from './finished-jobs.ts';
import { type Footprints, footprintOf, writeFootprints } from './footprints.ts';
import { migrate } from './former.ts';
import { heldOf } from './hooks/held.ts';
import type { HookRuns } from './hooks/runs.ts';
import type { Applying } from './ownership.ts';
import { isFoundation, isSteady, phaseOf } from './phases.ts';
import { foundationOf, type PlannedObject, type PlannedSolution } from './plan.ts';
import { componentCourse } from './progress/course.ts';
import { definedKind, isDefinition } from './scope.ts';
import { untilServed } from './until-served.ts';

/**
 * Applies a Solution and waits until it is ready: first its namespaces and CustomResourceDefinitions, then its
 * components, each once those that it waits for are ready, with the hooks that come before and after. What is there of a
 * component whose hooks look at it before an upgrade stays as it is until they have run. `previous` is the version that was
 * there before, `prints` is what was left of its objects. Throws `object-not-ready`, `object-not-removed`, `object-refused`, and refusals of the server.
 */
export async function bringUp(
  solution: PlannedSolution,
  previous: string | undefined,
  runs: HookRuns,
  prints: Footprints | undefined,
  session: Applying & { readonly finished: FinishedJobs },
): Promise<AppliedObject[]> {
  const { finished } = session;
  const course = componentCourse(solution, session.flow.onEvent);
  const watch = watchReadiness({ name: solution.name, previous, course }, session);
  const held = heldOf(solution, runs.isHeld, await session.api.discover(session.flow.signal));
  const foundation = foundationOf(solution.components).filter((planned) => !held.has(planned));
  const live = new Map<string, LiveObject>();
  const applied = await layFoundation(foundation, solution, watch, live, session);
  for (const component of solution.components) {
    const { name, after, timeout, objects, ready } = component;
    await watch.until(after);
    await noteFinishedJobs(solution, after, finished, session);
    session.flow.onEvent({ type: 'step', step: 'apply', subject: `${solution.name} ${solution.version}, ${name}` });
    course.tell(name, 'applying');
    applied.push(...(await runs.before(component)));
    const late = foundationOf([component]).filter((planned) => held.has(planned));
    applied.push(...(await layFoundation(late, solution, watch, live, session)));
    const rest = objects.filter(({ object }) => !isFoundation(object));
    applied.push(...(await putAll(rest, () => timeout, live, session)));
    watch.add(
      name,
      rest.filter((planned) => !finished.gone.has(planned.key) && isWaitedFor(planned, session)),
      timeout,
      live,
      ready,
    );
    if (runs.hasAfter(component) || component.migrations.length > 0) {
      await watch.until([name]);
      applied.push(...(await migrate(component.migrations, name, session)));
      applied.push(...(await runs.after(component)));
    }
    course.applied(name);
  }
  await watch.until();
  course.ready(watch.isOpen);
  const names = solution.components.map(({ name }) => name);
  await noteFinishedJobs(solution, names, finished, session);
  await runs.finish();
  await leavePrints(solution, live, prints, session);
  return applied;
}

async function layFoundation(
  foundation: readonly PlannedObject[],
  solution: PlannedSolution,
  watch: ReadinessWatch,
  live: Map<string, LiveObject>,
  session: Applying,
): Promise<AppliedObject[]> {
  if (foundation.length === 0) return [];
  session.flow.onEvent({
    type: 'step',
    step: 'apply',
    subject: `${solution.name} ${solution.version}, what it stands on`,
  });
  const timeouts = new Map(solution.components.map(({ name, timeout }) => [name, timeout]));
  const applied = await putAll(foundation, ({ component }) => timeouts.get(component)!, live, session);
  for (const [name, timeout] of timeouts) {
    watch.add(
      name,
      foundation.filter((planned) => planned.component === name && isWaitedFor(planned, session)),
      timeout,
      live,
    );
  }
  await watch.until();
  const changed = foundation.filter(({ key }) => !session.untouched.has(key));
  const defined = new Set(changed.map(({ object }) => definedKind(object)));
  const users = solution.components.flatMap(({ objects, timeout }) =>
    objects.map(({ name }) => ({ name, timeout })).filter(({ name }) => defined.has(`${groupOf(name)}/${name.kind}`)),
  );
  if (changed.some(({ object }) => isDefinition(object))) await untilServed(users, session);
  return applied;
}

/** Applies objects phase by phase, those of a phase beside each other. `live` gets each as it then is. */
async function putAll(
  objects: readonly PlannedObject[],
  timeoutOf: (planned: PlannedObject) => number,
  live: Map<string, LiveObject>,
  session: Applying,
): Promise<AppliedObject[]> {
  const done = new Map<PlannedObject, AppliedObject>();
  for (const phase of Map.groupBy(objects, ({ object }) => phaseOf(object)).values()) {
    await pool(phase, { signal: session.flow.signal }, async (planned, signal) => {
      const own = { ...session, flow: { ...session.flow, signal } };
      const { action, live: now } = await applyObject(planned, timeoutOf(planned), own);
      if (now !== undefined) live.set(planned.key, now);
      done.set(planned, { object: wordsOf(planned.name), action, component: planned.component });
    });
  }
  return objects.map((planned) => done.get(planned)!);
}

/** Decides whether an object may not be ready. What never changes by itself is, as it was applied. */
function isWaitedFor({ key, name }: PlannedObject, { untouched }: Applying): boolean {
  return !untouched.has(key) || !isSteady(name);
}

/** Remembers what the objects of a Solution are like now, unless that is remembered already. */
async function leavePrints(
  { name, components }: PlannedSolution,
  live: ReadonlyMap<string, LiveObject>,
  before: Footprints | undefined,
  session: Applying,
): Promise<void> {
  const { owner, untouched } = session;
  const prints = components
    .flatMap(({ objects }) => objects)
    .flatMap((planned) => {
      const now = live.get(planned.key);
      const print = untouched.has(planned.key)
        ? before?.get(planned.key)
        : now && footprintOf(planned, now, owner.manager);
      return print === undefined ? [] : [[planned.key, print] as const];
    });
  const after = new Map(prints);
  if (!isDeepStrictEqual(before, after)) await writeFootprints(name, after, session);
}
