import type { HookEvent } from '../../../../../../formats/manifest/hooks.ts';
import type { ForeseenAction } from '../../../../../kernel/plan/index.ts';
import type { ApplyPlan, PlannedHook } from '../../desired/index.ts';
import type { ApplySession } from '../../server/index.ts';
import { type Course, hookId, hooksFor, type Leaving, whereGone } from '../hooks/index.ts';
import { aboutObject } from './objects.ts';

/** Lists the hooks that a course has yet to run before the objects of its component, or after them. */
export function hookActions(when: 'pre' | 'post', course: Course | undefined): ForeseenAction[] {
  const running = course?.record.running;
  if (course === undefined || running === undefined || running.event === 'delete') return [];
  const event = `${when}-${running.event}` as const;
  return leftOf(event, course.component.hooks, running.ended).map((planned) => hookAction(event, planned));
}

/** Lists the hooks of an event that are yet to run of components that are removed. */
export async function leavingHooksToRun(
  event: 'pre-delete' | 'post-delete',
  all: readonly Leaving[],
  session: ApplySession,
): Promise<PlannedHook[]> {
  const found: PlannedHook[] = [];
  for (const { hooks, record } of all) {
    const own = hooksFor(event, hooks);
    if (!record.begun || own.length === 0 || (await whereGone(own, session)) !== undefined) continue;
    const { running } = record;
    found.push(...leftOf(event, hooks, running?.event === 'delete' ? running.ended : []));
  }
  return found;
}

/** Lists the tests of all components, in the order in which they run. */
export function testActions({ solutions }: ApplyPlan): ForeseenAction[] {
  const tests = solutions.flatMap(({ components }) => components.flatMap(({ hooks }) => hooksFor('test', hooks)));
  return tests.map((planned) => hookAction('test', planned));
}

/** Says that a hook is run at an event. */
export function hookAction(event: HookEvent, planned: PlannedHook): ForeseenAction {
  return { ...aboutObject(planned), action: 'run', event };
}

function leftOf(event: HookEvent, hooks: readonly PlannedHook[], ended: readonly string[]): PlannedHook[] {
  return hooksFor(event, hooks).filter((_, at) => !ended.includes(hookId(event, at)));
}
