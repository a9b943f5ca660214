import type { ApplyPlan, Inventory, PlannedComponent, PlannedHook, PlannedSolution } from '../../desired/index.ts';
import { hooksFor } from './order.ts';
import { componentDigest, formatHookRecord, type HookRecord } from './record.ts';

/** What happens to a component that has hooks. */
export interface Course {
  readonly component: PlannedComponent;
  /** What is remembered before anything is done. */
  readonly record: HookRecord;
  /** Whether that is remembered already. */
  readonly isRecorded: boolean;
}

/**
 * Decides what happens to a component that has hooks: it is installed where it is not in the cluster, upgraded where it
 * is there and becomes another, rolled back where that is `isReturn`ed to, and else nothing. What a run began that has
 * ended is continued. `before` is the inventory of its Solution, `last` what is remembered of the component.
 */
export function courseOf(
  component: PlannedComponent,
  { version, root }: Pick<PlannedSolution, 'version' | 'root'>,
  { configuration, isReturn }: Pick<ApplyPlan, 'configuration' | 'isReturn'>,
  before: Inventory | undefined,
  last: HookRecord | undefined,
): Course {
  const target = componentDigest(component);
  const change = isReturn ? 'rollback' : 'upgrade';
  const leaving = component.hooks.filter(({ hook }) => hook.events.some((event) => event.endsWith('-delete')));
  const stated = {
    configuration,
    removal: leaving.map(({ object }) => object),
    timeout: component.timeout,
  };
  const to = (record: Omit<HookRecord, keyof typeof stated>): Course => {
    const whole = { ...record, ...stated };
    return { component, record: whole, isRecorded: last !== undefined && isSame(whole, last) };
  };
  if (last === undefined) {
    const isThere = before?.components.includes(component.name) === true;
    // A release of solpack brought it that kept no such record.
    const isSame = isThere && before.state === 'ready' && before.version === version && before.root === root;
    if (isSame && root !== undefined) return to({ revision: 0, done: target, begun: true });
    const wasThere = isThere && (before.state === 'ready' || before.previous !== undefined);
    const event = wasThere ? change : 'install';
    return to({ revision: 1, begun: wasThere, running: { event, target, ended: [] } });
  }
  const { revision, done, begun, running } = last;
  if (running === undefined && done === target) return to({ revision, done, begun });
  if (running?.target === target) return to({ revision, done, begun, running });
  // What was being removed, and is wanted again, is installed anew.
  const isNew =
    running === undefined || running.event === 'rollback' ? done === undefined : running.event !== 'upgrade';
  const event = isNew ? 'install' : change;
  return to({ revision: revision + 1, done, begun, running: { event, target, ended: [] } });
}

/** Returns the hooks that a course has yet to run. */
export function hooksOf({ component, record: { running } }: Course): PlannedHook[] {
  if (running === undefined || running.event === 'delete') return [];
  const { event } = running;
  return [...hooksFor(`pre-${event}`, component.hooks), ...hooksFor(`post-${event}`, component.hooks)];
}

function isSame(one: HookRecord, other: HookRecord): boolean {
  return Buffer.compare(formatHookRecord(one), formatHookRecord(other)) === 0;
}
