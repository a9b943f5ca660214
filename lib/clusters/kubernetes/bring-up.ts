import { SolpackError } from '../../errors.ts';
import type { AppliedObject } from '../kind.ts';
import { wordsOf } from './api.ts';
import { applyObject } from './apply-object.ts';
import { type ReadinessWatch, watchReadiness } from './await-ready.ts';
import type { Applying } from './ownership.ts';
import { isFoundation } from './phases.ts';
import { foundationOf, type PlannedObject, type PlannedSolution } from './plan.ts';
import { isDefinition } from './scope.ts';
import { type ApplySession, now, pause } from './session.ts';

/**
 * Applies a Solution and waits until it is ready: first its namespaces and CustomResourceDefinitions, then its
 * components, each once those that it waits for are ready. `previous` is the version that was there before. Throws
 * `object-not-ready`, `object-not-removed`, `object-refused`, and refusals of the server.
 */
export async function bringUp(
  solution: PlannedSolution,
  previous: string | undefined,
  session: Applying,
): Promise<AppliedObject[]> {
  const watch = watchReadiness({ name: solution.name, previous }, session);
  const applied = await layFoundation(solution, watch, session);
  for (const { name, after, timeout, stages } of solution.components) {
    await watch.until(after);
    session.flow.onEvent({ type: 'step', step: 'apply', subject: `${solution.name} ${solution.version}, ${name}` });
    for (const [index, stage] of stages.entries()) {
      if (index > 0) await watch.until([name]);
      const rest = stage.filter(({ object }) => !isFoundation(object));
      for (const planned of rest) applied.push(await putAs(planned, timeout, session));
      watch.add(name, rest, timeout);
    }
  }
  await watch.until();
  return applied;
}

async function layFoundation(
  solution: PlannedSolution,
  watch: ReadinessWatch,
  session: Applying,
): Promise<AppliedObject[]> {
  const foundation = foundationOf(solution);
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
  if (foundation.some(({ object }) => isDefinition(object))) await untilServed(solution, session);
  return applied;
}

/**
 * Repeats discovery until the server serves every kind of the Solution: a definition is established before its kind is
 * served.
 */
async function untilServed(solution: PlannedSolution, session: ApplySession): Promise<void> {
  const { api, flow, timing } = session;
  const start = now();
  for (;;) {
    const discovery = await api.discover(flow.signal, true);
    const missing = solution.components.flatMap(({ objects, timeout }) =>
      objects
        .filter(({ name }) => discovery.find(name.apiVersion, name.kind) === undefined)
        .map(({ name }) => ({ name, timeout })),
    );
    const [first] = missing;
    if (first === undefined) return;
    if (now() >= start + first.timeout) {
      const { apiVersion, kind } = first.name;
      throw new SolpackError(
        'object-not-ready',
        wordsOf(first.name),
        `its kind is defined, but after ${Math.round(first.timeout / 1000)} s the API server does not serve ${kind} (${apiVersion}) yet`,
        { hint: 'run the same command again; if that does not help, look into the log of the API server' },
      );
    }
    await pause(timing.poll, session);
  }
}

async function putAs(planned: PlannedObject, timeout: number, session: Applying): Promise<AppliedObject> {
  const action = await applyObject(planned, timeout, session);
  return { object: wordsOf(planned.name), action, component: planned.component };
}
