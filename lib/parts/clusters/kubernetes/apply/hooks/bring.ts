import type { AppliedObject } from '../../../kind.ts';
import type { PlannedComponent, PlannedSolution } from '../../desired/index.ts';
import type { Applying } from '../../memory/index.ts';
import type { ApplySession } from '../../server/index.ts';
import type { Course } from './course.ts';
import { holdsBack } from './held.ts';
import { hooksFor } from './order.ts';
import type { HookRecord } from './record.ts';
import { forgetHooks, type HookRecords, writeHookRecord } from './records.ts';
import { ranOf, runEvent } from './run-event.ts';
import type { HookRuns } from './runs.ts';

/** Remembers what is about to happen to the components of a Solution that have hooks, before any of it happens. */
export async function beginCourses(
  { name, components }: PlannedSolution,
  courses: ReadonlyMap<string, Course>,
  records: HookRecords,
  session: ApplySession,
): Promise<void> {
  for (const [component, { record, isRecorded }] of courses) {
    if (!isRecorded) await writeHookRecord(name, component, record, session);
  }
  for (const component of records.get(name)?.keys() ?? []) {
    const isThere = components.some((one) => one.name === component);
    if (isThere && !courses.has(component)) await forgetHooks(name, component, session);
  }
}

/** Makes what runs the hooks of a Solution. `previous` is the version that was there before. */
export function hookRuns(
  solution: string,
  courses: ReadonlyMap<string, Course>,
  previous: string | undefined,
  session: Applying,
): HookRuns {
  const records = new Map([...courses].map(([component, { record }]) => [component, record]));
  const write = async (component: string, record: HookRecord): Promise<void> => {
    records.set(component, record);
    await writeHookRecord(solution, component, record, session);
  };
  const eventOf = (component: string): 'install' | 'upgrade' | 'rollback' | undefined => {
    const event = records.get(component)?.running?.event;
    return event === 'delete' ? undefined : event;
  };
  const run = async (when: 'pre' | 'post', { name, hooks, timeout }: PlannedComponent): Promise<AppliedObject[]> => {
    const event = eventOf(name);
    if (event === undefined) return [];
    const { revision, running } = records.get(name)!;
    const course = {
      ...{ solution, component: name, previous, timeout },
      ...{ run: String(revision), ended: new Set(running!.ended) },
      note: (id: string) => {
        const record = records.get(name)!;
        return write(name, { ...record, running: { ...record.running!, ended: [...record.running!.ended, id] } });
      },
    };
    return (await runEvent(`${when}-${event}`, hooks, course, session)).map((end) => ranOf(end, name));
  };
  return {
    isHeld: (component) => holdsBack(courses.get(component)),
    before: async (component) => {
      const ran = await run('pre', component);
      const record = records.get(component.name);
      if (record?.begun === false && record.removal.length > 0) await write(component.name, { ...record, begun: true });
      return ran;
    },
    hasAfter: ({ name, hooks }) => {
      const event = eventOf(name);
      return event !== undefined && hooksFor(`post-${event}`, hooks).length > 0;
    },
    after: (component) => run('post', component),
    finish: async () => {
      for (const [component, { running, ...record }] of records) {
        if (running !== undefined) await write(component, { ...record, begun: true, done: running.target });
      }
    },
  };
}
