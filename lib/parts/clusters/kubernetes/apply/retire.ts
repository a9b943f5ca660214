import { isDeepStrictEqual } from 'node:util';
import type { AppliedObject, AppliedSolution, ApplyResult } from '../../kind.ts';
import { type ApplyPlan, HOME, type Inventory } from '../desired/index.ts';
import {
  forgetComponents,
  type Inventories,
  inventoryFor,
  removeInventory,
  removeRecords,
  writeInventory,
} from '../memory/index.ts';
import type { ApplySession } from '../server/index.ts';
import type { LeavingHooks } from './hooks/index.ts';
import { othersOf, retiringOf } from './leftovers.ts';
import { narrowed, type Removal, removeUnwanted } from './remove.ts';

/** What was brought up. */
interface Brought {
  readonly applied: readonly AppliedSolution[];
  /** The sets of Solutions whose inventories say that they are being applied. */
  readonly open: ReadonlySet<string>;
}

/**
 * Removes what is no longer wanted, of the Solutions of the request and of others, with the hooks of what is removed
 * before and behind it, and records what is left.
 */
export async function removeAndRecord(
  plan: ApplyPlan,
  inventories: Inventories,
  { applied, open }: Brought,
  hooks: LeavingHooks,
  session: ApplySession,
): Promise<ApplyResult> {
  const others = othersOf(plan, inventories);
  for (const { solution, version, state } of others) {
    const subject = `${solution} ${version}`;
    if (state !== 'removed') session.flow.onEvent({ type: 'step', step: 'remove', subject });
  }
  await hooks.before();
  const { searched, wanted } = retiringOf(plan, inventories);
  const removals = await removeUnwanted(searched, wanted, session, hooks.after);
  for (const solution of plan.solutions) {
    const own = inventoryFor(solution, plan);
    const removal = removals.get(solution.name);
    await forgetComponents(solution, inventories.get(solution.set), session);
    const inventory = { ...own, ...(removal ? narrowed(own, removal) : {}) };
    if (open.has(solution.set) || !isDeepStrictEqual(inventories.get(solution.set), inventory)) {
      await writeInventory(inventory, session);
    }
  }
  const removed: AppliedSolution[] = [];
  const goneOf = (name: string): AppliedObject[] => [...hooks.ranFor(name), ...(removals.get(name)?.objects ?? [])];
  for (const other of others) {
    const removal = removals.get(other.solution)!;
    removed.push(...(await forget(other, { ...removal, objects: goneOf(other.solution) }, session)));
  }
  const solutions = applied.map((solution) => {
    return { ...solution, objects: [...solution.objects, ...goneOf(solution.name)] };
  });
  return { solutions, removed };
}

/**
 * Removes the record of a Solution that was removed, or reduces it to the objects that were kept. Returns what is worth
 * reporting.
 */
async function forget(inventory: Inventory, removal: Removal, session: ApplySession): Promise<AppliedSolution[]> {
  const { solution: name, version, state } = inventory;
  if (state !== 'removed') await removeRecords({ solution: name }, session);
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
