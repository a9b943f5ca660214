import { type Inventory, PART_OF } from '../desired/index.ts';
import { type ApplySession, isManager, type LiveObject, managerOf } from '../server/index.ts';

/** The inventories of all Solutions, by the ids of their sets. */
export type Inventories = ReadonlyMap<string, Inventory>;

/** The configuration that applies objects. */
export interface Owner {
  /** Its field manager. */
  readonly manager: string;
  /** The ids of the sets whose objects it may take over. */
  readonly sets: ReadonlySet<string>;
}

/** A session that applies objects for an owner. */
export interface Applying extends ApplySession {
  readonly owner: Owner;
  /** The keys of objects that are as they were applied, and would be applied as they were. */
  readonly untouched: ReadonlySet<string>;
  /** The keys of objects that were not there a moment ago. */
  readonly absent: ReadonlySet<string>;
  /** The namespaces whose quotas this run makes or changes. */
  readonly newQuotas: ReadonlySet<string>;
  /** Gets the custom resources that have the form that plugins have given them, in words. */
  readonly migrated: Set<string>;
}

/**
 * Returns the owner for a plan. It may take over objects of the plan's own Solutions, which the plan distributes among
 * them; of Solutions that the same configuration brought and no longer has; and of Solutions that were removed.
 */
export function ownerOf(
  plan: {
    readonly configuration: string;
    readonly prune: boolean;
    readonly solutions: readonly { readonly set: string }[];
  },
  inventories: Inventories,
): Owner {
  const left = [...inventories].filter(
    // Where nothing is removed, a Solution outside of the request may still want its objects.
    ([, { configuration, state }]) => state === 'removed' || (plan.prune && configuration === plan.configuration),
  );
  const sets = new Set([...plan.solutions.map(({ set }) => set), ...left.map(([set]) => set)]);
  return { manager: managerOf(plan.configuration), sets };
}

/**
 * Describes who else owns the object; undefined where it may be applied, because no set has it or its set may be taken
 * from.
 */
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

/**
 * Decides whether solpack applied the object. Labels alone prove nothing, because controllers copy them to what they
 * make.
 */
export function isApplied(live: LiveObject): boolean {
  return (live.metadata.managedFields ?? []).some(
    ({ manager, operation }) => isManager(manager) && operation === 'Apply',
  );
}

/** Decides whether the object is a member of a set to which solpack added it. */
export function isOurs(live: LiveObject): boolean {
  return live.metadata.labels?.[PART_OF] !== undefined && isApplied(live);
}
