import type { ApplyPlan, Inventory } from '../desired/index.ts';
import { type Inventories, readInventories, takenBy, withLease, writeInventory } from '../memory/index.ts';
import type { ApplySession } from '../server/index.ts';

/** Returns the inventories as they are once a plan has taken what it takes from other configurations. */
export function afterTaking(plan: ApplyPlan, inventories: Inventories): Inventories {
  const taken = new Set(takenBy(plan, inventories));
  const { configuration } = plan;
  const own = (one: Inventory): Inventory => (taken.has(one) ? { ...one, configuration } : one);
  return new Map([...inventories].map(([set, one]) => [set, own(one)]));
}

/** Reports which Solutions a plan takes from which configurations. */
export function tellTaken(plan: ApplyPlan, inventories: Inventories, { flow }: ApplySession): void {
  for (const { solution, version, configuration } of takenBy(plan, inventories)) {
    const message = `belongs to the configuration ${configuration}, and is taken over by ${plan.configuration}`;
    flow.onEvent({ type: 'notice', subject: `${solution} ${version}`, message });
  }
}

/**
 * Writes into the inventories of Solutions that a plan takes over whose they are now, while no run of their
 * configurations is at work. Throws `configuration-busy` where one is.
 */
export async function takeOver(plan: ApplyPlan, session: ApplySession): Promise<void> {
  if (plan.takeOver === undefined) return;
  const taken = takenBy(plan, await readInventories(session));
  for (const [configuration, own] of Map.groupBy(taken, (one) => one.configuration)) {
    await withLease(configuration, session, async (held) => {
      for (const one of own) await writeInventory({ ...one, configuration: plan.configuration }, held, true);
    });
  }
}
