import type { HookEvent } from '../../../../../../formats/manifest/hooks.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { AppliedObject } from '../../../kind.ts';
import type { PlannedHook } from '../../desired/index.ts';
import type { Applying } from '../../memory/index.ts';
import { wordsOf } from '../../server/index.ts';
import { logOf } from './logs.ts';
import { hookId, hooksFor } from './order.ts';
import { endsByItself, type HookPlace, removeHook, runHook } from './run-hook.ts';

/** An event of a component, and what is known of its hooks. */
export interface HookCourse extends HookPlace {
  /** Tells these runs of the hooks from all others. */
  readonly run: string;
  /** The hooks that have ended well, by `hookId`. */
  readonly ended: ReadonlySet<string>;
  /** Remembers that a hook has ended well. */
  note(id: string): Promise<void>;
}

/** A hook that has run. */
export interface HookEnd {
  readonly planned: PlannedHook;
  /** What it printed, where that was asked for. */
  readonly log: readonly string[];
}

/** Names one run of one hook. */
export function runOf(run: string, id: string): string {
  return `${run} ${id}`;
}

/**
 * Runs the hooks of an event one after the other, except those that have ended well already, and deletes what their
 * policies say: what succeeded once all have, what failed at once, with what has succeeded before it. Throws what the
 * first hook throws that fails. Returns what it has run; with `logged`, with what each printed.
 */
export async function runEvent(
  event: HookEvent,
  hooks: readonly PlannedHook[],
  course: HookCourse,
  session: Applying,
  logged = false,
): Promise<HookEnd[]> {
  const ordered = hooksFor(event, hooks).map((planned, at) => {
    const id = hookId(event, at);
    return { planned, id, run: runOf(course.run, id) };
  });
  const done: HookEnd[] = [];
  for (const [at, { planned, id, run }] of ordered.entries()) {
    if (course.ended.has(id)) continue;
    const subject = `${wordsOf(planned.name)}, ${event} of ${course.component}`;
    session.flow.onEvent({ type: 'step', step: 'hook', subject });
    try {
      await runHook(planned, run, course, session);
    } catch (error) {
      // Any other failure says nothing about the hook.
      if (!(error instanceof SolpackError) || error.code !== 'object-not-ready') throw error;
      await tellLog(planned, 'hook-failed', session);
      if (planned.hook.deletion.includes('hook-failed')) await removeHook(planned, run, session);
      await removeSucceeded(ordered.slice(0, at), session);
      throw error;
    }
    done.push({ planned, log: logged && endsByItself(planned.object) ? await logOf(planned, session) : [] });
    await tellLog(planned, 'hook-succeeded', session);
    await course.note(id);
  }
  await removeSucceeded(ordered, session);
  return done;
}

async function removeSucceeded(
  ended: readonly { readonly planned: PlannedHook; readonly run: string }[],
  session: Applying,
): Promise<void> {
  for (const { planned, run } of ended.toReversed()) {
    if (planned.hook.deletion.includes('hook-succeeded')) await removeHook(planned, run, session);
  }
}

/** Returns what a hook printed, where its annotation `helm.sh/hook-output-log-policy` asks for that. */
async function tellLog(planned: PlannedHook, when: string, session: Applying): Promise<void> {
  if (!planned.hook.output.includes(when)) return;
  const lines = await logOf(planned, session);
  if (lines.length === 0) return;
  session.flow.onEvent({ type: 'notice', subject: wordsOf(planned.name), message: `printed: ${lines.join(' | ')}` });
}

/** Tells that a hook has run. */
export function ranOf({ planned }: Pick<HookEnd, 'planned'>, component: string | undefined): AppliedObject {
  return { object: wordsOf(planned.name), action: 'ran', component };
}
