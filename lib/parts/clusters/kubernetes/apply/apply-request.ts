import { isDeepStrictEqual } from 'node:util';
import type { AppliedSolution, ApplyRequest, ApplyResult, ForeseenApply } from '../../kind.ts';
import { type ApplyPlan, type Inventory, type PlannedSolution, planApply } from '../desired/index.ts';
import { tellPending } from '../health/index.ts';
import {
  type Applying,
  inGeneration,
  inventoryFor,
  newRecords,
  ownerOf,
  storeRecord,
  wider,
  withLease,
  writeInventory,
} from '../memory/index.ts';
import type { ApplySession } from '../server/index.ts';
import { actionsOf, requireConfirmed } from './actions/index.ts';
import { awaitTogether } from './await-together.ts';
import { bringUp } from './bring-up.ts';
import { type ApplyDecision, decideApply, lookAround, type PresentState } from './decide.ts';
import { readExposed } from './exposed/index.ts';
import { beginCourses, hookRuns, hooksToRun, leavingHooks, runTests } from './hooks/index.ts';
import { removeAndRecord } from './retire.ts';
import { takeOver } from './take-over.ts';
import { withWideDefinitions } from './wide-definitions.ts';

/**
 * Carries out a request. First everything is planned and tried; only then is something changed. Changes are recorded in
 * the inventory before they are made. Objects that are no longer wanted go last, once everything is ready. Each step
 * looks at what is there, so a run that ended at any point is continued by the next one. Throws `configuration-busy`
 * where another run is at work, and `object-conflict` where a Solution, an object or a field belongs to somebody else.
 */
export async function applyRequest(asked: ApplyRequest, session: ApplySession): Promise<ApplyResult> {
  const first = await decideRequest(asked, session);
  return withLease(asked.configuration, session, async (own, { contended, holder }) => {
    const { request, decision } = await decidedNow(first, asked, contended, own);
    const { plan, present, tried } = decision;
    await requireConfirmed(decision, request, own);
    await takeOver(plan, own);
    const owner = ownerOf(plan, present.inventories);
    const newQuotas = changedQuotas(plan, tried.changing);
    const migrated = new Set<string>();
    const applying = { ...own, ...tried, owner, newQuotas, migrated, finished: present.finished };
    const changes = tried.changing.size + hooksToRun(present.courses).length > 0;
    const prove = async (): Promise<void> => {
      for (const solution of plan.solutions) await newRecords(solution, own);
    };
    const { result, generation } = await inGeneration({ request, changes, holder, prove, migrated }, own, async () => {
      const brought = await carryOut({ plan, present, tried }, applying);
      return request.test ? { ...brought, tests: await runTests(plan, applying) } : brought;
    });
    const exposed = request.exposes ? await readExposed(plan, own) : [];
    return {
      ...result,
      ...(generation === undefined ? {} : { generation }),
      ...(exposed.length === 0 ? {} : { exposed }),
    };
  });
}

/** Returns what `applyRequest` would do, by the same decision. Throws what that throws before its first change. */
export async function foreseeRequest(asked: ApplyRequest, session: ApplySession): Promise<ForeseenApply> {
  return actionsOf((await decideRequest(asked, session)).decision, asked, session);
}

/** A request, and what was decided of it. */
interface Decided {
  readonly request: ApplyRequest;
  readonly decision: ApplyDecision;
}

/**
 * Returns what is done to what is there now: what was decided at first, unless another run has been at work since. That
 * one may have come and gone before this one asked for the Lease, and shows in the inventories then.
 */
async function decidedNow(
  { request, decision: { plan, present, tried } }: Decided,
  asked: ApplyRequest,
  contended: boolean,
  session: ApplySession,
): Promise<Decided> {
  const now = await lookAround(plan, session);
  if (contended || !isDeepStrictEqual(now.inventories, present.inventories)) return decideRequest(asked, session);
  return { request, decision: { plan, present: now, tried } };
}

async function decideRequest(asked: ApplyRequest, session: ApplySession): Promise<Decided> {
  const request = asked.isReturn ? await withWideDefinitions(asked, session) : asked;
  const plan = planApply(request, await session.api.discover(session.flow.signal, true));
  return { request, decision: await decideApply(plan, session) };
}

/** Returns the namespaces whose quotas a plan makes or changes. */
function changedQuotas(plan: ApplyPlan, changing: ReadonlySet<string>): ReadonlySet<string> {
  const quotas = [...plan.objects.values()].filter(
    ({ key, name }) => name.kind === 'ResourceQuota' && changing.has(key),
  );
  return new Set(quotas.map(({ name }) => name.namespace ?? ''));
}

/** Carries out what was decided. */
async function carryOut(
  { plan, present: { inventories, records, courses }, tried: { changing, prints } }: ApplyDecision,
  session: Applying & Pick<PresentState, 'finished'>,
): Promise<ApplyResult> {
  const applied: AppliedSolution[] = [];
  const open = new Set<string>();
  tellPending(plan.solutions, session.flow.onEvent);
  for (const solution of plan.solutions) {
    const { name, version, set } = solution;
    const before = inventories.get(set);
    const kept = await newRecords(solution, session);
    const own = courses.get(name)!;
    const changes =
      [...plan.objects.values()].some((object) => object.set === set && changing.has(object.key)) ||
      hooksToRun(new Map([[name, own]])).length + kept.length > 0;
    await beginCourses(solution, own, records, session);
    if (await recordIntent(solution, plan, before, changes, session)) open.add(set);
    for (const { about, bytes } of kept) await storeRecord({ solution: name, about }, bytes, session);
    const runs = hookRuns(name, own, versionBefore(solution, before), session);
    const objects = await bringUp(solution, versionBefore(solution, before), runs, prints.get(name), session);
    applied.push({ name, version, files: [], objects });
  }
  if (open.size > 0 && plan.solutions.length > 1) {
    await awaitTogether(plan, (one) => versionBefore(one, inventories.get(one.set)), session);
  }
  if (plan.prune) {
    const hooks = leavingHooks(plan, records, session);
    return removeAndRecord(plan, inventories, { applied, open }, hooks, session);
  }
  for (const solution of plan.solutions) {
    await writeInventory(wider(inventoryFor(solution, plan), inventories.get(solution.set)), session);
  }
  return { solutions: applied, removed: [] };
}

/**
 * Records what a Solution has and will have, unless that is recorded already and nothing will change. Returns whether
 * it did.
 */
async function recordIntent(
  solution: PlannedSolution,
  plan: ApplyPlan,
  before: Inventory | undefined,
  changes: boolean,
  session: ApplySession,
): Promise<boolean> {
  const all = wider(inventoryFor(solution, plan), before);
  if (!changes && isDeepStrictEqual(before, all)) return false;
  await writeInventory({ ...all, state: 'applying', previous: versionBefore(solution, before) }, session);
  return true;
}

/**
 * Returns the version that is there until this one is ready. After runs that did not finish, that is the previous one
 * them.
 */
function versionBefore({ version }: PlannedSolution, before: Inventory | undefined): string | undefined {
  if (before === undefined || before.state === 'removed') return undefined;
  const last = before.previous ?? before.version;
  return last === version ? undefined : last;
}
