import { isDeepStrictEqual } from 'node:util';
import type { AppliedObject } from '../../kind.ts';
import { foundationOf, isFoundation, needsGround, type PlannedSolution } from '../desired/index.ts';
import { componentCourse, watchReadiness } from '../health/index.ts';
import {
  type Applying,
  type FinishedJobs,
  type Footprints,
  footprintOf,
  noteFinishedJobs,
  writeFootprints,
} from '../memory/index.ts';
import type { LiveObject } from '../server/index.ts';
import { groundOf } from './ground.ts';
import { type HookRuns, heldOf } from './hooks/index.ts';
import { isWaitedFor, putAll } from './put-all.ts';
import { migrate } from './read-previous-version.ts';

/**
 * Applies a Solution and waits until it is ready: first its namespaces, then its components, each once those that it
 * waits for are ready, with the hooks that come before and after. All its CustomResourceDefinitions come, and are
 * served, before the first object that may need them. What is there of a component whose hooks look at it before an
 * upgrade stays as it is until they have run. `previous` is the version that was there before, `prints` is what was
 * left of its objects. Throws `object-not-ready`, `object-not-removed`, `object-refused`, and refusals of the server.
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
  const watched = { name: solution.name, previous, course };
  const watch = watchReadiness(watched, session);
  const held = heldOf(solution, runs.isHeld, await session.api.discover(session.flow.signal));
  const foundation = foundationOf(solution.components).filter((planned) => !held.has(planned));
  const live = new Map<string, LiveObject>();
  const ground = groundOf(solution, watched, live, session);
  const applied = await ground.lay(foundation);
  for (const component of solution.components) {
    const { name, after, timeout, objects, ready, hooks } = component;
    if (after.length + hooks.length > 0) applied.push(...(await ground.settle()));
    await watch.until(after);
    await noteFinishedJobs(solution, after, finished, session);
    session.flow.onEvent({ type: 'step', step: 'apply', subject: `${solution.name} ${solution.version}, ${name}` });
    course.tell(name, 'applying');
    applied.push(...(await runs.before(component)));
    const late = foundationOf([component]).filter((planned) => held.has(planned));
    applied.push(...(await ground.lay(late)));
    const rest = objects.filter(({ object }) => !isFoundation(object));
    const [needing, others] = [true, false].map((needs) => rest.filter(({ object }) => needsGround(object) === needs));
    applied.push(...(await putAll(others!, () => timeout, live, session)));
    if (needing!.length > 0) applied.push(...(await ground.settle()));
    applied.push(...(await putAll(needing!, () => timeout, live, session)));
    watch.add(
      name,
      rest.filter((planned) => !finished.gone.has(planned.key) && isWaitedFor(planned, session)),
      timeout,
      live,
      ready,
    );
    if (runs.hasAfter(component) || component.migrations.length > 0) {
      applied.push(...(await ground.settle()));
      await watch.until([name]);
      applied.push(...(await migrate(component.migrations, name, session)));
      applied.push(...(await runs.after(component)));
    }
    course.applied(name);
  }
  applied.push(...(await ground.define()));
  // The server is still at work on large definitions, and this is work too.
  const after = printsAfter(solution, live, prints, session);
  applied.push(...(await ground.settle()));
  await watch.until();
  course.ready(watch.isOpen);
  const names = solution.components.map(({ name }) => name);
  await noteFinishedJobs(solution, names, finished, session);
  await runs.finish();
  if (!isDeepStrictEqual(prints, after)) await writeFootprints(solution.name, after, session);
  return applied;
}

/** Describes the objects of a Solution as they are now. */
function printsAfter(
  { components }: PlannedSolution,
  live: ReadonlyMap<string, LiveObject>,
  before: Footprints | undefined,
  { owner, untouched }: Applying,
): Footprints {
  const prints = components
    .flatMap(({ objects }) => objects)
    .flatMap((planned) => {
      const now = live.get(planned.key);
      const print = untouched.has(planned.key)
        ? before?.get(planned.key)
        : now && footprintOf(planned, now, owner.manager);
      return print === undefined ? [] : [[planned.key, print] as const];
    });
  return new Map(prints);
}
