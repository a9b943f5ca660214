import { isDeepStrictEqual } from 'node:util';
import { groupKindOf } from '../../../formats/manifest/namespace.ts';
import type { AppliedSolution, ApplyRequest, ApplyResult } from '../kind.ts';
import { HOME, type Inventory } from './applyset.ts';
import { bringUp } from './bring-up.ts';
import { readInventories, removeInventory, requireOwned, writeInventory } from './inventories.ts';
import { withLease } from './lease.ts';
import { type Inventories, ownerOf } from './ownership.ts';
import { type ApplyPlan, type PlannedSolution, planApply } from './plan.ts';
import { preflight } from './preflight.ts';
import { removeRecords, storeRecord } from './records/index.ts';
import { forgetComponents, newRecords } from './records/keep.ts';
import { narrowed, type Removal, removeUnwanted } from './remove.ts';
import type { ApplySession } from './session.ts';

/**
 * Carries out a request. First everything is planned and tried; only then is something changed. Changes are recorded in
 * the inventory before they are made. Objects that are no longer wanted go last, once everything is ready. Each step
 * looks at what is there, so a run that ended at any point is continued by the next one. Throws `configuration-busy`
 * where another run is at work, and `object-conflict` where a Solution, an object or a field belongs to somebody else.
 */
export async function applyRequest(request: ApplyRequest, session: ApplySession): Promise<ApplyResult> {
  const { api, flow } = session;
  const plan = planApply(request, await api.discover(flow.signal, true));
  const inventories = await readInventories(session);
  requireOwned(plan, inventories);
  flow.onEvent({ type: 'step', step: 'check', subject: `${plan.objects.size} objects at ${api.server}` });
  const changing = await preflight(plan, inventories, session);
  return withLease(request.configuration, session, async (own, contended) => {
    const latest = await readInventories(own);
    requireOwned(plan, latest);
    return applyPlan(plan, latest, contended ? await preflight(plan, latest, own) : changing, own);
  });
}

/** Carries out a plan. `changing` has the keys of the objects that will change, or may. */
async function applyPlan(
  plan: ApplyPlan,
  inventories: Inventories,
  changing: ReadonlySet<string>,
  session: ApplySession,
): Promise<ApplyResult> {
  const applied: AppliedSolution[] = [];
  const owner = ownerOf(plan, inventories);
  for (const solution of plan.solutions) {
    const { name, version, set } = solution;
    const before = inventories.get(set);
    const changes = [...plan.objects.values()].some((object) => object.set === set && changing.has(object.key));
    const records = await newRecords(solution, session);
    await recordIntent(solution, plan, before, changes || records.length > 0, session);
    for (const { about, bytes } of records) await storeRecord({ solution: name, about }, bytes, session);
    const objects = await bringUp(solution, versionBefore(solution, before), { ...session, owner });
    applied.push({ name, version, files: [], objects });
  }
  if (plan.prune) return removeAndRecord(plan, inventories, applied, session);
  for (const solution of plan.solutions) {
    await writeInventory(wider(inventoryFor(solution, plan), inventories.get(solution.set)), session);
  }
  return { solutions: applied, removed: [] };
}

/** Records what a Solution has and will have, unless that is recorded already and nothing will change. */
async function recordIntent(
  solution: PlannedSolution,
  plan: ApplyPlan,
  before: Inventory | undefined,
  changes: boolean,
  session: ApplySession,
): Promise<void> {
  const all = wider(inventoryFor(solution, plan), before);
  if (changes || !isDeepStrictEqual(before, all)) {
    await writeInventory({ ...all, state: 'applying', previous: versionBefore(solution, before) }, session);
  }
}

/** Removes what is no longer wanted, of the Solutions of the request and of others, and records what is left. */
async function removeAndRecord(
  plan: ApplyPlan,
  inventories: Inventories,
  applied: readonly AppliedSolution[],
  session: ApplySession,
): Promise<ApplyResult> {
  const others = othersOf(plan, inventories);
  for (const { solution, version, state } of others) {
    const subject = `${solution} ${version}`;
    if (state !== 'removed') session.flow.onEvent({ type: 'step', step: 'remove', subject });
  }
  const before = plan.solutions.flatMap(({ set }) => inventories.get(set) ?? []);
  const removals = await removeUnwanted([...before, ...others], plan.objects, session);
  for (const solution of plan.solutions) {
    const own = inventoryFor(solution, plan);
    const removal = removals.get(solution.name);
    await forgetComponents(solution, inventories.get(solution.set), session);
    await writeInventory({ ...own, ...(removal ? narrowed(own, removal) : {}) }, session);
  }
  const removed: AppliedSolution[] = [];
  for (const other of others) removed.push(...(await forget(other, removals.get(other.solution)!, session)));
  const solutions = applied.map((solution) => {
    return { ...solution, objects: [...solution.objects, ...(removals.get(solution.name)?.objects ?? [])] };
  });
  return { solutions, removed };
}

/** Returns the Solutions that the same configuration brought and no longer has. */
function othersOf(plan: ApplyPlan, inventories: Inventories): Inventory[] {
  const sets = new Set(plan.solutions.map(({ set }) => set));
  const others = [...inventories].filter(
    ([set, { configuration }]) => configuration === plan.configuration && !sets.has(set),
  );
  return others.map(([, inventory]) => inventory);
}

/**
 * Removes the record of a Solution that was removed, or reduces it to the objects that were kept. Returns what is worth
 * reporting.
 */
async function forget(inventory: Inventory, removal: Removal, session: ApplySession): Promise<AppliedSolution[]> {
  const { solution: name, version, state } = inventory;
  if (state !== 'removed') await removeRecords(name, session);
  if (removal.kept.length === 0) await removeInventory(inventory, session);
  else {
    const nothing = { groupKinds: new Set<string>(), namespaces: new Set([HOME]) };
    await writeInventory(
      { ...inventory, ...narrowed(nothing, removal), state: 'removed', previous: undefined },
      session,
    );
  }
  const { objects } = removal;
  const isNews = state !== 'removed' || objects.some(({ action }) => action === 'removed');
  return isNews ? [{ name, version, files: [], objects }] : [];
}

/** Returns an inventory that also covers what another one covers. */
function wider(inventory: Inventory, { groupKinds, namespaces }: Partial<Inventory> = {}): Inventory {
  return {
    ...inventory,
    groupKinds: new Set([...inventory.groupKinds, ...(groupKinds ?? [])]),
    namespaces: new Set([...inventory.namespaces, ...(namespaces ?? [])]),
  };
}

function inventoryFor({ name, version, root, components, set }: PlannedSolution, plan: ApplyPlan): Inventory {
  const own = [...plan.objects.values()].filter((object) => object.set === set).map((object) => object.name);
  return {
    solution: name,
    version,
    root,
    configuration: plan.configuration,
    state: 'ready',
    previous: undefined,
    components: components.map((component) => component.name),
    groupKinds: new Set(own.map(groupKindOf)),
    namespaces: new Set([HOME, ...own.flatMap(({ namespace }) => namespace ?? [])]),
  };
}

/**
 * Returns the version that is there until this one is ready. After runs that did not finish, that is the one before
 * them.
 */
function versionBefore({ version }: PlannedSolution, before: Inventory | undefined): string | undefined {
  if (before === undefined || before.state === 'removed') return undefined;
  const last = before.previous ?? before.version;
  return last === version ? undefined : last;
}
