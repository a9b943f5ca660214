import type { AppliedObject } from '../../../kind.ts';
import type { ApplyPlan } from '../../desired/index.ts';
import type { Applying } from '../../memory/index.ts';
import { type Leaving, leavingOf, whereGone } from './leaving.ts';
import { hookId, hooksFor } from './order.ts';
import type { HookRecord } from './record.ts';
import { forgetHooks, type HookRecords, writeHookRecord } from './records.ts';
import { ranOf, runEvent, runOf } from './run-event.ts';
import { removeHook } from './run-hook.ts';
import type { LeavingHooks } from './runs.ts';

/**
 * Makes what runs the hooks of all that the configuration of a plan brought and no longer has: of whole Solutions, and
 * of components of those that stay. The last components go first. Hooks of a component of which nothing was ever there
 * are left out, and those whose namespace is gone.
 */
export function leavingHooks(plan: ApplyPlan, records: HookRecords, session: Applying): LeavingHooks {
  const all = leavingOf(plan, records);
  const ran = new Map<string, AppliedObject[]>();
  const runAll = async (event: 'pre-delete' | 'post-delete'): Promise<void> => {
    for (const one of all) {
      if (!one.record.begun) continue;
      const ended = await runOne(one, event, session);
      ran.set(one.solution, [...(ran.get(one.solution) ?? []), ...ended]);
    }
  };
  return {
    before: () => runAll('pre-delete'),
    after: async () => {
      await runAll('post-delete');
      for (const one of all) await clear(one, session);
    },
    ranFor: (solution) => ran.get(solution) ?? [],
  };
}

async function runOne(
  leaving: Leaving,
  event: 'pre-delete' | 'post-delete',
  session: Applying,
): Promise<AppliedObject[]> {
  const { solution, component, hooks, record } = leaving;
  if (hooksFor(event, hooks).length === 0) return [];
  const gone = await whereGone(hooksFor(event, hooks), session);
  if (gone !== undefined) {
    const message = `its hooks of ${event} are skipped, because the namespace ${gone} does not exist`;
    session.flow.onEvent({ type: 'notice', subject: `${solution}, component ${component}`, message });
    return [];
  }
  if (record.running?.event !== 'delete') {
    await note(
      leaving,
      { ...record, revision: record.revision + 1, running: { event: 'delete', target: '', ended: [] } },
      session,
    );
  }
  const { revision, running, timeout } = leaving.record;
  const course = {
    ...{ solution, component, previous: undefined, timeout },
    ...{ run: String(revision), ended: new Set(running!.ended) },
    note: (id: string) => {
      const { running: now, ...rest } = leaving.record;
      return note(leaving, { ...rest, running: { ...now!, ended: [...now!.ended, id] } }, session);
    },
  };
  return (await runEvent(event, hooks, course, session)).map((end) => ranOf(end, undefined));
}

async function note(leaving: Leaving, record: HookRecord, session: Applying): Promise<void> {
  leaving.record = record;
  await writeHookRecord(leaving.solution, leaving.component, record, session);
}

/** Removes what hooks of a removal have made, whatever their policies say, and forgets the component. */
async function clear({ solution, component, hooks, record }: Leaving, session: Applying): Promise<void> {
  for (const event of ['post-delete', 'pre-delete'] as const) {
    for (const [at, planned] of hooksFor(event, hooks).entries()) {
      if (record.running?.event === 'delete') {
        await removeHook(planned, runOf(String(record.revision), hookId(event, at)), session);
      }
    }
  }
  await forgetHooks(solution, component, session);
}
