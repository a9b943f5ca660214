import type { HookEvent } from '../../../../formats/manifest/hooks.ts';
import type { ForeseenAction } from '../../../plan/foreseen.ts';
import type { Course } from '../hooks/course.ts';
import { type Leaving, whereGone } from '../hooks/leaving.ts';
import { hookId, hooksFor } from '../hooks/order.ts';
import type { ApplyPlan, PlannedHook } from '../plan.ts';
import type { ApplySession } from '../session.ts';
import { aboutObject } from './objects.ts';

/** Lists the hooks that a course has yet to run before the objects of its component, or after them. */
export function hookActions(when: 'pre' | 'post', course: Course | undefined): ForeseenAction[] {
  const running = course?.record.running;
  if (course === undefined || running === undefined || running.event === 'delete') return [];
  return runsOf(`${when}-${running.event}`, course.component.hooks, running.ended);
}

/** Lists the hooks of components that are removed. */
export async function leavingActions(
  event: 'pre-delete' | 'post-delete',
  all: readonly Leaving[],
  session: ApplySession,
): Promise<ForeseenAction[]> {
  const actions: ForeseenAction[] = [];
  for (const { hooks, record } of all) {
    const own = hooksFor(event, hooks);
    if (!record.begun || own.length === 0 || (await whereGone(own, session)) !== undefined) continue;
    const { running } = record;
    actions.push(...runsOf(event, hooks, running?.event === 'delete' ? running.ended : []));
  }
  return actions;
}

/** Lists the tests of all components, in the order in which they run. */
export function testActions({ solutions }: ApplyPlan): ForeseenAction[] {
  return solutions.flatMap(({ components }) => components.flatMap(({ hooks }) => runsOf('test', hooks, [])));
}

function runsOf(event: HookEvent, hooks: readonly PlannedHook[], ended: readonly string[]): ForeseenAction[] {
  return hooksFor(event, hooks)
    .filter((_, at) => !ended.includes(hookId(event, at)))
    .map((planned) => ({ ...aboutObject(planned), action: 'run', event }));
}
