import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { ForeseenAction } from '../../../../../kernel/plan/index.ts';
import type { ForeseenApply } from '../../../kind.ts';
import { foundationOf, isFoundation, type PlannedObject, type PlannedSolution } from '../../desired/index.ts';
import { type ApplySession, nameOf, slashed } from '../../server/index.ts';
import type { ApplyDecision } from '../decide.ts';
import { type Course, heldOf, holdsBack, leavingOf } from '../hooks/index.ts';
import { findLeftovers, NAMESPACES, retiringOf } from '../leftovers.ts';
import { hookAction, hookActions, leavingHooksToRun, testActions } from './hooks.ts';
import { actionOnObject } from './objects.ts';
import { actionsOnLeftovers } from './removals.ts';

/**
 * Lists what was decided: what an apply does to objects, and the hooks that it runs, in the order in which it does so.
 * Nothing is changed.
 */
export async function actionsOf(
  decision: ApplyDecision,
  { test = false }: { readonly test?: boolean | undefined },
  session: ApplySession,
): Promise<ForeseenApply> {
  const { plan, present, tried } = decision;
  const { api, flow } = session;
  const actions: ForeseenAction[] = [];
  const discovery = await api.discover(flow.signal);
  let unchanged = 0;
  const put = (objects: readonly PlannedObject[]): void => {
    for (const planned of objects) {
      const action = actionOnObject(planned, tried);
      if (action === undefined) unchanged += 1;
      else actions.push(action);
    }
  };
  for (const solution of plan.solutions) {
    const courses = present.courses.get(solution.name);
    const held = heldOf(solution, (component) => holdsBack(courses?.get(component)), discovery);
    putSolution(solution, { courses, held, put, run: (hooks) => actions.push(...hooks) });
  }
  if (plan.prune) actions.push(...(await retiringActions(decision, session)));
  return { actions: [...actions, ...(test ? testActions(plan) : [])], unchanged, basis: api.server };
}

/** Walks through a Solution in the order in which `bringUp` does. */
function putSolution(
  { name, components }: PlannedSolution,
  {
    courses,
    held,
    put,
    run,
  }: {
    readonly courses: ReadonlyMap<string, Course> | undefined;
    readonly held: ReadonlySet<PlannedObject>;
    readonly put: (objects: readonly PlannedObject[]) => void;
    readonly run: (hooks: readonly ForeseenAction[]) => void;
  },
): void {
  put(foundationOf(components).filter((planned) => !held.has(planned)));
  for (const component of components) {
    const course = courses?.get(component.name);
    run(hookActions('pre', course));
    put(foundationOf([component]).filter((planned) => held.has(planned)));
    put(component.objects.filter(({ object }) => !isFoundation(object)));
    run(component.migrations.map((object) => migrationAction(object, name, component.name)));
    run(hookActions('post', course));
  }
}

function migrationAction(object: KubernetesObject, solution: string, component: string): ForeseenAction {
  const uid = String(object.metadata['uid']);
  const reason = 'its plugin migrates it';
  return {
    subject: slashed(nameOf(object)),
    action: 'change',
    changes: [],
    reason,
    solution,
    component,
    uid,
    hidden: object,
  };
}

async function retiringActions(
  { plan, present: { inventories, records } }: ApplyDecision,
  session: ApplySession,
): Promise<ForeseenAction[]> {
  const { searched, wanted } = retiringOf(plan, inventories);
  const leaving = leavingOf(plan, records);
  const first = await leavingHooksToRun('pre-delete', leaving, session);
  const made = first.filter(({ key, hook }) => !hook.deletion.includes('hook-succeeded') && !wanted.has(key));
  const actions = first.map((planned) => hookAction('pre-delete', planned));
  const leftovers = await findLeftovers(searched, wanted, session);
  for (const { phase, actions: own } of await actionsOnLeftovers(leftovers, made, plan, session)) {
    if (phase === NAMESPACES) {
      const last = await leavingHooksToRun('post-delete', leaving, session);
      actions.push(...last.map((planned) => hookAction('post-delete', planned)));
    }
    actions.push(...own);
  }
  return actions;
}

/** Makes sure that an apply does what somebody has confirmed. Throws `plan-outdated`. */
export async function requireConfirmed(
  decision: ApplyDecision,
  {
    test,
    confirmed,
  }: { readonly test?: boolean | undefined; readonly confirmed?: readonly ForeseenAction[] | undefined },
  session: ApplySession,
): Promise<void> {
  if (confirmed === undefined) return;
  const { actions } = await actionsOf(decision, { test }, session);
  const at = actions.findIndex((action, index) => !isDeepStrictEqual(action, confirmed[index]));
  const other = actions[at] ?? confirmed[actions.length];
  if (other === undefined) return;
  throw new SolpackError('plan-outdated', other.subject, 'changed in the cluster since the plan was confirmed', {
    hint: 'create a new plan, and confirm that',
  });
}
