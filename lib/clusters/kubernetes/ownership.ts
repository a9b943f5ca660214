import { isManager, type LiveObject, managerOf } from './api.ts';
import { type Inventory, PART_OF } from './applyset.ts';
import type { ApplyPlan } from './plan.ts';
import type { ApplySession } from './session.ts';

/** What the cluster remembers of all Solutions, by the ids of their sets. */
export type Inventories = ReadonlyMap<string, Inventory>;

/** In whose name objects are applied. */
export interface Owner {
  /** The field manager of its configuration. */
  readonly manager: string;
  /** The ids of the sets whose objects it may take. */
  readonly sets: ReadonlySet<string>;
}

/** What applies objects works with. */
export interface Applying extends ApplySession {
  readonly owner: Owner;
}

/**
 * In whose name a plan is brought about. It may take objects of its own Solutions, the plan giving each object to one of
 * these, of those that the same configuration brought and has no longer, and of those that were removed.
 */
export function ownerOf(
  plan: Pick<ApplyPlan, 'configuration' | 'prune' | 'solutions'>,
  inventories: Inventories,
): Owner {
  const left = [...inventories].filter(
    // Where nothing is removed, a Solution that the request does not have may still want its objects.
    ([, { configuration, state }]) => state === 'removed' || (plan.prune && configuration === plan.configuration),
  );
  const sets = new Set([...plan.solutions.map(({ set }) => set), ...left.map(([set]) => set)]);
  return { manager: managerOf(plan.configuration), sets };
}

/** Who else owns the object, in words; undefined where it may be applied, because no set has it or one that it may be taken of. */
export function rivalOf(live: LiveObject, { sets }: Owner, inventories: Inventories): string | undefined {
  const owner = live.metadata.labels?.[PART_OF];
  if (owner === undefined || sets.has(owner)) return undefined;
  const inventory = inventories.get(owner);
  if (inventory === undefined) {
    const managers = (live.metadata.managedFields ?? []).filter(({ operation }) => operation === 'Apply');
    const names = [...new Set(managers.map(({ manager }) => manager ?? ''))].filter((name) => name !== '');
    return `the ApplySet ${owner}${names.length === 0 ? '' : `, applied by ${names.join(', ')}`}`;
  }
  return `the Solution ${inventory.solution} ${inventory.version} of the configuration ${inventory.configuration}`;
}

/** Whether solpack applied the object itself: controllers copy labels to what they make, so labels alone prove nothing. */
export function isApplied(live: LiveObject): boolean {
  return (live.metadata.managedFields ?? []).some(
    ({ manager, operation }) => isManager(manager) && operation === 'Apply',
  );
}

/** Whether the object is a member of a set, and solpack made it one. */
export function isOurs(live: LiveObject): boolean {
  return live.metadata.labels?.[PART_OF] !== undefined && isApplied(live);
}
