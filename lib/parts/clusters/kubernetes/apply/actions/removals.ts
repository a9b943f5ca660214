import type { ForeseenAction } from '../../../../../kernel/plan/index.ts';
import { type ApplyPlan, objectKey, type PlannedHook, phaseOf } from '../../desired/index.ts';
import { ApiError, type ApplySession, type LiveObject, nameOf } from '../../server/index.ts';
import { contentOfNamespace, type Leftover, type Leftovers } from '../leftovers.ts';
import { isLeaving, keptFor, occupants } from '../namespace-contents.ts';
import { keptBecause } from '../prune.ts';
import { claimsGoingWith } from './claims.ts';
import { aboutObject } from './objects.ts';

/**
 * Returns what happens to objects that are no longer wanted, phase by phase, and to those that hooks of the removal
 * have `made` before, which nobody wants either. Claims that go with what owns them are reported behind it.
 */
export async function actionsOnLeftovers(
  { phases }: Leftovers,
  made: readonly PlannedHook[],
  plan: ApplyPlan,
  session: ApplySession,
): Promise<{ readonly phase: number; readonly actions: readonly ForeseenAction[] }[]> {
  const going = new Set<string>();
  const all = new Map<number, ForeseenAction[]>();
  for (const { phase, left } of phases) {
    const actions: ForeseenAction[] = [];
    const gone: Leftover[] = [];
    for (const { object, inventory } of left) {
      const reason = keptBecause(object) ?? (await occupied(object, plan, going, session));
      if (reason === undefined) {
        going.add(object.metadata.uid);
        gone.push({ object, inventory });
      }
      actions.push(actionOnLeftover({ object, inventory }, reason));
    }
    all.set(phase, [...actions, ...(await claimsGoingWith(gone, session))]);
  }
  const there = new Set(phases.flatMap(({ left }) => left.map(({ object }) => objectKey(nameOf(object)))));
  for (const { key, name, object, solution } of made) {
    if (there.has(key)) continue;
    const phase = phaseOf(object);
    all.set(phase, [...(all.get(phase) ?? []), { ...aboutObject({ name, solution }), action: 'remove' }]);
  }
  return [...all].sort(([a], [b]) => b - a).map(([phase, actions]) => ({ phase, actions }));
}

function actionOnLeftover({ object, inventory }: Leftover, reason: string | undefined): ForeseenAction {
  const about = { ...aboutObject({ name: nameOf(object), solution: inventory.solution }), uid: object.metadata.uid };
  return reason === undefined ? { ...about, action: 'remove' } : { ...about, action: 'keep', reason };
}

/**
 * Explains why a namespace will be kept: for what will live in it once all else is `going`. Undefined for other kinds.
 */
async function occupied(
  object: LiveObject,
  { objects }: ApplyPlan,
  going: ReadonlySet<string>,
  session: ApplySession,
): Promise<string | undefined> {
  const { name, deletionTimestamp } = object.metadata;
  if (object.apiVersion !== 'v1' || object.kind !== 'Namespace' || deletionTimestamp !== undefined) return undefined;
  const content = await contentOfNamespace(name, session);
  if (content instanceof ApiError) return `its contents cannot be listed: ${content.message}`;
  const living = occupants(content).filter((one) => !going.has(one.metadata.uid) && !isLeaving(one));
  const [tenant] = [...objects.values()].filter((planned) => planned.name.namespace === name);
  return keptFor(living) ?? (tenant && `${tenant.solution} brings ${tenant.name.kind} ${tenant.name.name} into it`);
}
