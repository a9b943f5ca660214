import { groupOf } from '../../../formats/manifest/namespace.ts';
import type { AppliedObject } from '../kind.ts';
import { wordsOf } from './api.ts';
import { applyObject } from './apply-object.ts';
import { type ReadinessWatch, watchReadiness } from './await-ready.ts';
import { type FinishedJobs, noteFinishedJobs } from './finished-jobs.ts';
import type { HookRuns } from './hooks/runs.ts';
import type { Applying } from './ownership.ts';
import { isFoundation } from './phases.ts';
import { foundationOf, type PlannedObject, type PlannedSolution } from './plan.ts';
import { definedKind, isDefinition } from './scope.ts';
import type { ApplySession } from './session.ts';
import { untilServed } from './until-served.ts';

/**
 * Applies a Solution and waits until it is ready: first its namespaces and CustomResourceDefinitions, then its
 * components, each once those that it waits for are ready, with the hooks that come before and after. What is there of a
 * component whose hooks look at it before an upgrade stays as it is until they have run. `previous` is the version that was
 * there before. Throws `object-not-ready`, `object-not-removed`, `object-refused`, and refusals of the server.
 */
export async function bringUp(
  solution: PlannedSolution,
  previous: string | undefined,
  runs: HookRuns,
  session: Applying & { readonly finished: FinishedJobs },
): Promise<AppliedObject[]> {
  const { finished } = session;
  const watch = watchReadiness({ name: solution.name, previous }, session);
  const held = await heldOf(solution, runs, session);
  const foundation = foundationOf(solution.components).filter((planned) => !held.has(planned));
  const applied = await layFoundation(foundation, solution, watch, session);
  for (const component of solution.components) {
    const { name, after, timeout, objects } = component;
    await watch.until(after);
    await noteFinishedJobs(solution, after, finished, session);
    session.flow.onEvent({ type: 'step', step: 'apply', subject: `${solution.name} ${solution.version}, ${name}` });
    applied.push(...(await runs.before(component)));
    const late = foundationOf([component]).filter((planned) => held.has(planned));
    applied.push(...(await layFoundation(late, solution, watch, session)));
    const rest = objects.filter(({ object }) => !isFoundation(object));
    applied.push(...rest.filter(({ key }) => finished.gone.has(key)).map(unchanged));
    const due = rest.filter(({ key }) => !finished.gone.has(key));
    for (const planned of due) applied.push(await putAs(planned, timeout, session));
    watch.add(name, due, timeout);
    if (!runs.hasAfter(component)) continue;
    await watch.until([name]);
    applied.push(...(await runs.after(component)));
  }
  await watch.until();
  const names = solution.components.map(({ name }) => name);
  await noteFinishedJobs(solution, names, finished, session);
  await runs.finish();
  return applied;
}

/** Returns the definitions that are there already, and that hooks of their component look at before they change. */
async function heldOf(
  { components }: PlannedSolution,
  runs: HookRuns,
  { api, flow }: ApplySession,
): Promise<ReadonlySet<PlannedObject>> {
  const discovery = await api.discover(flow.signal);
  const own = foundationOf(components.filter(({ name }) => runs.isHeld(name)));
  return new Set(
    own.filter(({ object }) => {
      const [group = '', kind = ''] = definedKind(object)?.split('/') ?? [];
      return kind !== '' && discovery.preferred(group, kind) !== undefined;
    }),
  );
}

async function layFoundation(
  foundation: readonly PlannedObject[],
  solution: PlannedSolution,
  watch: ReadinessWatch,
  session: Applying,
): Promise<AppliedObject[]> {
  if (foundation.length === 0) return [];
  session.flow.onEvent({
    type: 'step',
    step: 'apply',
    subject: `${solution.name} ${solution.version}, what it stands on`,
  });
  const timeouts = new Map(solution.components.map(({ name, timeout }) => [name, timeout]));
  const applied: AppliedObject[] = [];
  for (const planned of foundation) applied.push(await putAs(planned, timeouts.get(planned.component)!, session));
  for (const [name, timeout] of timeouts) {
    watch.add(
      name,
      foundation.filter(({ component }) => component === name),
      timeout,
    );
  }
  await watch.until();
  const defined = new Set(foundation.map(({ object }) => definedKind(object)));
  const users = solution.components.flatMap(({ objects, timeout }) =>
    objects.map(({ name }) => ({ name, timeout })).filter(({ name }) => defined.has(`${groupOf(name)}/${name.kind}`)),
  );
  if (foundation.some(({ object }) => isDefinition(object))) await untilServed(users, session);
  return applied;
}

function unchanged({ name, component }: PlannedObject): AppliedObject {
  return { object: wordsOf(name), action: 'unchanged', component };
}

async function putAs(planned: PlannedObject, timeout: number, session: Applying): Promise<AppliedObject> {
  const action = await applyObject(planned, timeout, session);
  return { object: wordsOf(planned.name), action, component: planned.component };
}
