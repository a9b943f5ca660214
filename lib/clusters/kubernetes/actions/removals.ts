import type { ForeseenAction } from '../../../plan/foreseen.ts';
import { ApiError, type LiveObject, nameOf } from '../api.ts';
import { contentOfNamespace, type Leftover, type Leftovers } from '../leftovers.ts';
import { isLeaving, keptFor, occupants } from '../namespace-contents.ts';
import type { ApplyPlan } from '../plan.ts';
import { keptBecause } from '../prune.ts';
import type { ApplySession } from '../session.ts';
import { aboutObject } from './objects.ts';

/** Tells what happens to objects that are no longer wanted, phase by phase. */
export async function actionsOnLeftovers(
  { phases }: Leftovers,
  plan: ApplyPlan,
  session: ApplySession,
): Promise<{ readonly isNamespaces: boolean; readonly actions: readonly ForeseenAction[] }[]> {
  const going = new Set<string>();
  const all: { isNamespaces: boolean; actions: ForeseenAction[] }[] = [];
  for (const { isNamespaces, left } of phases) {
    const actions: ForeseenAction[] = [];
    for (const { object, inventory } of left) {
      const reason = keptBecause(object) ?? (await occupied(object, plan, going, session));
      if (reason === undefined) going.add(object.metadata.uid);
      actions.push(actionOnLeftover({ object, inventory }, reason));
    }
    all.push({ isNamespaces, actions });
  }
  return all;
}

function actionOnLeftover({ object, inventory }: Leftover, reason: string | undefined): ForeseenAction {
  const told = { ...aboutObject({ name: nameOf(object), solution: inventory.solution }), uid: object.metadata.uid };
  return reason === undefined ? { ...told, action: 'remove' } : { ...told, action: 'keep', reason };
}

/** Explains why a namespace will be kept: for what will live in it once all else is `going`. Undefined for other kinds. */
async function occupied(
  object: LiveObject,
  { objects }: ApplyPlan,
  going: ReadonlySet<string>,
  session: ApplySession,
): Promise<string | undefined> {
  const { name, deletionTimestamp } = object.metadata;
  if (object.apiVersion !== 'v1' || object.kind !== 'Namespace' || deletionTimestamp !== undefined) return undefined;
  const content = await contentOfNamespace(name, session);
  if (content instanceof ApiError) return `what lives in it cannot be seen: ${content.message}`;
  const living = occupants(content).filter((one) => !going.has(one.metadata.uid) && !isLeaving(one));
  const [tenant] = [...objects.values()].filter((planned) => planned.name.namespace === name);
  return keptFor(living) ?? (tenant && `${tenant.solution} brings ${tenant.name.kind} ${tenant.name.name} into it`);
}
