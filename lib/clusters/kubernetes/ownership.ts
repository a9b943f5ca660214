import { type LiveObject, MANAGER } from './api.ts';
import { type Inventory, PART_OF } from './applyset.ts';
import type { Plan, PlannedObject } from './plan.ts';

/** What the cluster remembers of all Solutions, by the ids of their sets. */
export type Inventories = ReadonlyMap<string, Inventory>;

/**
 * Who else owns the object, in words; undefined where it may be applied. It may where no set has it, its own has, a
 * Solution of the request that brings it no longer, or one that the same configuration brought and has no longer.
 */
export function rivalOf(
  live: LiveObject,
  { set }: Pick<PlannedObject, 'set'>,
  plan: Pick<Plan, 'configuration' | 'prune' | 'solutions'>,
  inventories: Inventories,
): string | undefined {
  const owner = live.metadata.labels?.[PART_OF];
  // The plan gives each object to one Solution: another one of the request that has it does not want it any longer.
  if (owner === undefined || owner === set || plan.solutions.some((solution) => solution.set === owner))
    return undefined;
  const inventory = inventories.get(owner);
  if (inventory === undefined) {
    const managers = (live.metadata.managedFields ?? []).filter(({ operation }) => operation === 'Apply');
    const names = [...new Set(managers.map(({ manager }) => manager ?? ''))].filter((name) => name !== '');
    return `the ApplySet ${owner}${names.length === 0 ? '' : `, applied by ${names.join(', ')}`}`;
  }
  // Where nothing is removed, a Solution that the request does not have may still want it.
  const isLeft = plan.prune && inventory.configuration === plan.configuration;
  if (isLeft || inventory.state === 'removed') return undefined;
  return `the Solution ${inventory.solution} ${inventory.version} of the configuration ${inventory.configuration}`;
}

/** Whether solpack applied the object itself: controllers copy labels to what they make, so labels alone prove nothing. */
export function isApplied(live: LiveObject): boolean {
  return (live.metadata.managedFields ?? []).some(
    ({ manager, operation }) => manager === MANAGER && operation === 'Apply',
  );
}

/** Whether the object is a member of a set, and solpack made it one. */
export function isOurs(live: LiveObject): boolean {
  return live.metadata.labels?.[PART_OF] !== undefined && isApplied(live);
}
