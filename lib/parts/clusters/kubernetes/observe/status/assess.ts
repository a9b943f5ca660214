import { pool } from '../../../../../kernel/events/index.ts';
import type { RenderedSolution } from '../../../kind.ts';
import { type ApplyPlan, type PlannedObject, planApply } from '../../desired/index.ts';
import { isProbed } from '../../health/index.ts';
import { readFinishedJobs } from '../../memory/index.ts';
import {
  type ApplySession,
  type Discovery,
  type LiveObject,
  managerOf,
  nameOf,
  type ObjectName,
  scopeOf,
} from '../../server/index.ts';
import { autoscaling } from './autoscaled.ts';
import { type Drifted, driftOf } from './drift.ts';
import { lookAtObjects, whole } from './look.ts';

/** How many objects are looked at as a whole at once. */
const ASKED = 8;

/** An object that was applied, and what exists of it now. */
export interface Assessed {
  readonly planned: PlannedObject;
  /** Undefined where it is gone. */
  readonly live: LiveObject | undefined;
  /** Whether it is gone as it should be: a Job that has ended, some time after that. */
  readonly isOver: boolean;
  /** The fields that somebody else has set or removed. */
  readonly drift: readonly Drifted[];
  /** Whether a probe of its component says when it is ready, and nothing else does. */
  readonly isProbed: boolean;
  /** The fields that differ because an autoscaler set them, which is its right. */
  readonly scaled: readonly Drifted[];
}

/** What there is of everything that a generation applied. */
export interface Assessment {
  readonly plan: ApplyPlan;
  /** In the order of application. */
  readonly objects: readonly Assessed[];
  /** Objects of kinds that are not served any longer, so that they are gone with these, by their Solutions. */
  readonly unserved: readonly { readonly solution: string; readonly name: ObjectName }[];
}

/** Compares what was applied with what is there. Changes nothing, and asks once for each kind of a Solution. */
export async function assess(
  configuration: string,
  content: readonly RenderedSolution[],
  session: ApplySession,
): Promise<Assessment> {
  const { flow } = session;
  const discovery = await session.api.discover(flow.signal, true);
  const { solutions, unserved } = servedOf(content, discovery);
  const plan = planApply({ configuration, solutions }, discovery);
  const manager = managerOf(configuration);
  const seen = await lookAtObjects(plan, session);
  const { gone } = await readFinishedJobs(plan, session);
  const isAutoscaled = autoscaling(session);
  const probed = probedOf(plan);
  const assessed = new Map<string, Assessed>();
  await pool(plan.objects.values(), { limit: ASKED, signal: flow.signal }, async (planned, signal) => {
    const found = seen.get(planned.key);
    // Fields that are not the manager's own any longer show in the metadata; what they are now does not.
    const isTouched = found !== undefined && driftOf(planned.object, found.live, manager).length > 0;
    const own = { ...session, flow: { ...flow, signal } };
    const live = isTouched ? await whole(planned, found, own) : found?.live;
    const all = isTouched && live !== undefined ? driftOf(planned.object, live, manager) : [];
    const scaled: Drifted[] = [];
    for (const one of all) if (await isAutoscaled(planned, one)) scaled.push(one);
    const drift = all.filter((one) => !scaled.includes(one));
    const { key } = planned;
    assessed.set(key, { planned, live, isOver: gone.has(key), isProbed: probed.has(key), drift, scaled });
  });
  const inOrder = plan.solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects));
  return { plan, objects: inOrder.map(({ key }) => assessed.get(key)!), unserved };
}

/** The keys of objects that probes of their components ask about. */
function probedOf({ solutions }: ApplyPlan): ReadonlySet<string> {
  const components = solutions.flatMap((solution) => solution.components);
  const asked = components.flatMap(({ objects, ready }) => objects.filter((planned) => isProbed(planned, ready)));
  return new Set(asked.map(({ key }) => key));
}

/** Leaves out objects whose kinds no longer exist: their definition was deleted, and they with it. */
function servedOf(
  content: readonly RenderedSolution[],
  discovery: Discovery,
): { solutions: readonly RenderedSolution[]; unserved: Assessment['unserved'] } {
  const all = content.flatMap(({ components }) => components.flatMap(({ objects }) => objects));
  const scope = scopeOf(all, discovery);
  const isServed = ({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean =>
    scope(apiVersion, kind) !== undefined;
  const unserved = content.flatMap(({ name: solution, components }) =>
    components.flatMap(({ objects }) =>
      objects.filter((object) => !isServed(object)).map((object) => ({ solution, name: nameOf(object) })),
    ),
  );
  const solutions = content.map((solution) => ({
    ...solution,
    components: solution.components.map((component) => ({
      ...component,
      objects: component.objects.filter(isServed),
    })),
  }));
  return { solutions, unserved };
}
