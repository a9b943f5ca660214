import { faultsOf, type SolpackError } from '../../../../../kernel/events/index.ts';
import type { ApplyRequest } from '../../../kind.ts';
import {
  type ApplyPlan,
  HOME,
  type Inventory,
  PART_OF,
  type PlannedHook,
  parseGroupKind,
  planApply,
  setOf,
} from '../../desired/index.ts';
import { findUntouched, readFootprints, readInventories } from '../../memory/index.ts';
import { type ApplySession, ifReadable, isDefinition, managerOf, nameOf, type ObjectName } from '../../server/index.ts';
import { coursesOf, hooksToRun, readHookRecords } from '../hooks/index.ts';
import { keptBecause, unwanted } from '../prune.ts';
import { examineDefinition } from './definitions.ts';
import { neededRights } from './needed-rights.ts';
import { examineRights, mayDoAll, tellUnreviewed } from './rights.ts';

/**
 * Finds what a request would fail by, or break, and changes nothing: rights that are missing, and stored custom
 * resources that new definitions do not take. What is as it was applied is not looked at. Dry runs of the objects come
 * later, in `applyRequest`.
 */
export async function examineRequest(request: ApplyRequest, session: ApplySession): Promise<readonly SolpackError[]> {
  const discovery = await session.api.discover(session.flow.signal);
  let plan: ApplyPlan | undefined;
  const unplanned = await faultsOf(async () => {
    plan = planApply(request, discovery);
  });
  if (plan === undefined) return unplanned;
  const [rights, definitions] = await Promise.all([
    lackingRights(plan, session).catch((error: unknown) => tellUnreviewed(error, session)),
    brokenDefinitions(plan, session),
  ]);
  return [...rights, ...definitions];
}

async function brokenDefinitions(plan: ApplyPlan, session: ApplySession): Promise<SolpackError[]> {
  const all = [...plan.objects.values()].filter(({ object }) => isDefinition(object));
  if (all.length === 0) return [];
  const untouched = await untouchedOf(onlyDefinitions(plan), session);
  const changing = all.filter(({ key }) => !untouched.has(key));
  return (await Promise.all(changing.map((one) => examineDefinition(one, session)))).flat();
}

function onlyDefinitions(plan: ApplyPlan): ApplyPlan {
  const solutions = plan.solutions.map((solution) => {
    const components = solution.components.map((component) => {
      return { ...component, objects: component.objects.filter(({ object }) => isDefinition(object)) };
    });
    return { ...solution, components };
  });
  return { ...plan, solutions };
}

/** What may not be read counts as touched: the rights to it are among those that are missing. */
async function untouchedOf(plan: ApplyPlan, session: ApplySession): Promise<ReadonlySet<string>> {
  return ifReadable(session.flow.signal, new Set<string>(), async () =>
    findUntouched(plan, managerOf(plan.configuration), await readFootprints(session), session),
  );
}

async function lackingRights(plan: ApplyPlan, session: ApplySession): Promise<readonly SolpackError[]> {
  if (await mayDoAll(session)) return [];
  const { api, flow } = session;
  const inventories = await ifReadable(flow.signal, new Map<string, Inventory>(), () => readInventories(session));
  const own = [...inventories.values()].filter(({ configuration }) => configuration === plan.configuration);
  const untouched = await untouchedOf(plan, session);
  const leaving = await Promise.all(own.map((inventory) => leavingOf(inventory, plan, session)));
  const discovery = await api.discover(flow.signal);
  const home = { apiVersion: 'v1', kind: 'Namespace', name: HOME };
  const hasHome = await ifReadable(flow.signal, false, async () => (await api.read(home, flow.signal)) !== undefined);
  const hooks = await ifReadable(flow.signal, [], async () =>
    hooksToRun(coursesOf(plan, inventories, await readHookRecords(session))),
  );
  const standing = await standingOf(hooks, session);
  const basis = { inventories: own, untouched, hooks, standing, leaving: leaving.flat(), hasHome };
  return examineRights(neededRights(plan, basis, discovery), session);
}

/** Returns the keys of hooks whose objects are there, as far as they may be read. */
async function standingOf(
  hooks: readonly PlannedHook[],
  { api, flow: { signal } }: ApplySession,
): Promise<ReadonlySet<string>> {
  const found = hooks.map(async ({ key, name }) => {
    const live = await ifReadable(signal, undefined, () => api.read(name, signal));
    return live === undefined ? [] : [key];
  });
  return new Set((await Promise.all(found)).flat());
}

/** Lists the members of a Solution that an apply would delete, as far as they may be listed. */
async function leavingOf(inventory: Inventory, plan: ApplyPlan, { api, flow }: ApplySession): Promise<ObjectName[]> {
  const discovery = await api.discover(flow.signal);
  const labels = `${PART_OF}=${setOf(inventory.solution)}`;
  const wanted = { has: (key: string) => plan.objects.has(key) || plan.hooks.has(key) };
  const found = [...inventory.groupKinds].map(async (one) => {
    const { group, kind } = parseGroupKind(one);
    const resource = discovery.preferred(group, kind);
    if (resource === undefined) return [];
    return ifReadable(flow.signal, [], () => api.list(resource, { labels, metadata: true }, flow.signal));
  });
  const leaving = unwanted((await Promise.all(found)).flat(), inventory, wanted);
  return leaving.filter((object) => keptBecause(object) === undefined).map(nameOf);
}
