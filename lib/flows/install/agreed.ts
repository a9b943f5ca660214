import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type { RunnerOptions } from '../../kernel/plan/index.ts';
import { removalNames, requireNamedRemovals, unnamedRemovals } from '../../shared/solutions/clusters/index.ts';
import { readPlan, requireSamePlan } from './confirm.ts';
import type { ForeseenInstall } from './install-plan.ts';
import type { InstallRead } from './plan-types.ts';
import { ownOf, removalsOf } from './removals.ts';
import type { InstallAgreement, InstallRequest } from './request.ts';
import { saltOf } from './seal.ts';

/** Finds out what the steps of an install would do; with the salt of another plan, to compare both. */
type Foresee = (salt?: string) => Promise<ForeseenInstall>;

/** What is known of the steps of an install before they are run. */
type Agreed = Pick<RunnerOptions<unknown>, 'confirmed' | 'given'>;

/**
 * Has those agree to an install whom it asks. Returns what each step may do, if not whatever it finds, and what was
 * done to find that out and need not be done again. Throws `removal-unnamed`, `plan-invalid`, `plan-outdated`, and what
 * whoever is asked throws.
 */
export async function agreedActions(
  { agreement, confirmed }: InstallRequest,
  read: InstallRead,
  foresee: Foresee,
): Promise<Agreed> {
  // Whoever has kept a plan has read in it what goes.
  const kept = confirmed === undefined ? undefined : await confirmedBy(confirmed, foresee);
  if (kept !== undefined || agreement === undefined) return kept ?? {};
  return agreement.agree === undefined ? namedOnly(agreement, read, foresee) : asked(agreement, foresee);
}

/** Makes sure that an install does what a plan says. Throws `plan-invalid`, `plan-outdated`. */
async function confirmedBy(kept: string | InstallPlan, foresee: Foresee): Promise<Agreed> {
  const confirmed = typeof kept === 'string' ? await readPlan(kept) : kept;
  const { plan, actions, given } = await foresee(saltOf(confirmed.seal));
  requireSamePlan(typeof kept === 'string' ? kept : 'the plan', confirmed, plan);
  return { confirmed: actions, given };
}

/**
 * Has a person agree. What was read for that is read again: they may have taken their time, and a medium may be another
 * one by then.
 */
async function asked(agreement: InstallAgreement, foresee: Foresee): Promise<Agreed> {
  const { plan, actions } = await foresee();
  await agreement.agree?.(plan, removalNames(unnamedRemovals(plan.removals ?? [], agreement)));
  return { confirmed: actions };
}

/** Makes sure that nothing goes that nobody has named. Throws `removal-unnamed`. */
async function namedOnly(agreement: InstallAgreement, read: InstallRead, foresee: Foresee): Promise<Agreed> {
  requireNamedRemovals(removalsOf(read, []), agreement);
  // Where nothing of the configuration is there, no object of it can go.
  if (ownOf(read).length === 0) return {};
  const { plan, given } = await foresee();
  requireNamedRemovals(plan.removals ?? [], agreement);
  return { given };
}
