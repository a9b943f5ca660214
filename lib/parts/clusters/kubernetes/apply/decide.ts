import type { ApplyPlan } from '../desired/index.ts';
import {
  type FinishedJobs,
  type Footprints,
  findUntouched,
  type Inventories,
  readFinishedJobs,
  readFootprints,
  readInventories,
  requireOwned,
} from '../memory/index.ts';
import { type ApplySession, managerOf } from '../server/index.ts';
import { type Courses, coursesOf, type HookRecords, hooksToRun, readHookRecords } from './hooks/index.ts';
import { type Preflight, preflight } from './preflight.ts';
import { afterTaking, tellTaken } from './take-over.ts';

/** What there is of the Solutions of a plan, and what happens to them therefore. */
export interface PresentState {
  readonly inventories: Inventories;
  readonly records: HookRecords;
  readonly courses: Courses;
  readonly finished: FinishedJobs;
}

/** What was found out of the objects of a plan before anything is changed. */
export interface TriedObjects extends Preflight {
  readonly untouched: ReadonlySet<string>;
  readonly prints: ReadonlyMap<string, Footprints>;
}

/** All that decides what an apply does. Nothing was changed to find it out. */
export interface ApplyDecision {
  readonly plan: ApplyPlan;
  readonly present: PresentState;
  readonly tried: TriedObjects;
}

/** Looks what a plan will do, and changes nothing. Throws all that would refuse it before the first change. */
export async function decideApply(plan: ApplyPlan, session: ApplySession): Promise<ApplyDecision> {
  if (plan.takeOver !== undefined) tellTaken(plan, await readInventories(session), session);
  const present = await lookAround(plan, session);
  const subject = `${plan.objects.size} objects at ${session.api.server}`;
  session.flow.onEvent({ type: 'step', step: 'check', subject });
  return { plan, present, tried: await tryOut(plan, present, session) };
}

/**
 * Looks what is there of the Solutions of a plan. Throws `object-conflict` where another configuration has one of them.
 */
export async function lookAround(plan: ApplyPlan, session: ApplySession): Promise<PresentState> {
  const inventories = afterTaking(plan, await readInventories(session));
  requireOwned(plan, inventories);
  const records = await readHookRecords(session);
  const finished = await readFinishedJobs(plan, session);
  return { inventories, records, courses: coursesOf(plan, inventories, records), finished };
}

/** Tries the objects of a plan out, as dry runs. Throws what refuses them. */
export async function tryOut(plan: ApplyPlan, present: PresentState, session: ApplySession): Promise<TriedObjects> {
  const prints = await readFootprints(session);
  const still = await findUntouched(plan, managerOf(plan.configuration), prints, session);
  // Jobs that have ended, and are gone since, are not to run again.
  const untouched = new Set([...still, ...present.finished.gone]);
  const tried = await preflight(plan, present.inventories, hooksToRun(present.courses), untouched, session);
  return { ...tried, prints, untouched };
}
