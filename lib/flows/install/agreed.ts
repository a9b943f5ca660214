import { readPlan, requireSamePlan } from './confirm.ts';
import type { ForeseenInstall } from './install-plan.ts';
import type { InstallRead } from './plan-types.ts';
import { ownOf, removalNames, removalsOf, requireNamedRemovals, unnamedRemovals } from './removals.ts';
import type { InstallRequest } from './request.ts';
import { saltOf } from './seal.ts';

/** Finds out what the steps of an install would do; with the salt of another plan, to compare both. */
type Foresee = (salt?: string) => Promise<ForeseenInstall>;

/**
 * Has those agree to an install whom it asks. Returns what each step may do; undefined where it may do whatever it finds. Throws
 * `removal-unnamed`, `plan-invalid`, `plan-outdated`, and what whoever is asked throws.
 */
export async function agreedActions(
  { agreement, confirmed }: InstallRequest,
  read: InstallRead,
  foresee: Foresee,
): Promise<ForeseenInstall['actions'] | undefined> {
  // Whoever has kept a plan has read in it what goes.
  const kept = confirmed === undefined ? undefined : await confirmedBy(confirmed, foresee);
  if (kept !== undefined) await agreement?.begin?.();
  if (kept !== undefined || agreement === undefined) return kept;
  const { agree, begin } = agreement;
  let actions: ForeseenInstall['actions'] | undefined;
  if (agree !== undefined) {
    const foreseen = await foresee();
    await agree(foreseen.plan, removalNames(unnamedRemovals(foreseen.plan.removals ?? [], agreement)));
    ({ actions } = foreseen);
  } else {
    requireNamedRemovals(removalsOf(read, []), agreement);
    // Where nothing of the configuration is there, no object of it can go.
    if (ownOf(read).length > 0) requireNamedRemovals((await foresee()).plan.removals ?? [], agreement);
  }
  await begin?.();
  return actions;
}

/** Makes sure that an install does what the plan in a file says. Returns what each step does. Throws `plan-invalid`, `plan-outdated`. */
async function confirmedBy(path: string, foresee: Foresee): Promise<ForeseenInstall['actions']> {
  const confirmed = await readPlan(path);
  const { plan, actions } = await foresee(saltOf(confirmed.seal));
  requireSamePlan(path, confirmed, plan);
  return actions;
}
