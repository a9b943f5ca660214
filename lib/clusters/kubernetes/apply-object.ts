import type { Action } from '../kind.ts';
import { ApiError, type LiveObject, wordsOf } from './api.ts';
import { awaitRemoval } from './await-removal.ts';
import { isImmutable } from './client/failure.ts';
import { inherit, legacyOf } from './inherit-fields.ts';
import type { Applying } from './ownership.ts';
import type { PlannedObject } from './plan.ts';
import { isReplaceable, unchangeable } from './replace.ts';
import { type ApplySession, now, pause } from './session.ts';
import { isTransientRefusal } from './transient-refusals.ts';

/**
 * Applies one object, and returns what that did. Waits for an object that is being deleted, and makes it again.
 * Replaces an object whose immutable fields have to change, where nothing is lost by that. Repeats a refusal that may
 * be temporary until `timeout` milliseconds have passed.
 */
export async function applyObject(
  { name, object }: PlannedObject,
  timeout: number,
  session: Applying,
): Promise<Action> {
  const { api, flow, force, owner } = session;
  const { manager } = owner;
  const deadline = now() + timeout;
  let reported = '';
  for (;;) {
    let before = await api.read(name, flow.signal);
    if (before?.metadata.deletionTimestamp !== undefined) {
      await awaitRemoval([before], Math.max(0, deadline - now()), session);
      continue;
    }
    try {
      before &&= await inherit(before, legacyOf(before, owner), session);
      const after = await api.apply(object, { force, manager }, flow.signal);
      return actionOf(before, after);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (before !== undefined && isImmutable(error)) {
        await deleteToReplace(before, error, deadline, session);
        await api.apply(object, { force, manager }, flow.signal);
        return 'replaced';
      }
      if (!isTransientRefusal(error) || now() >= deadline) throw error;
      if (error.message !== reported) {
        reported = error.message;
        flow.onEvent({ type: 'step', step: 'wait', subject: `${wordsOf(name)}: ${reported}` });
      }
    }
    await pause(session.timing.poll, session);
  }
}

function actionOf(before: LiveObject | undefined, after: LiveObject): Action {
  if (before === undefined || before.metadata.uid !== after.metadata.uid) return 'created';
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'changed';
}

async function deleteToReplace(
  live: LiveObject,
  error: ApiError,
  deadline: number,
  session: ApplySession,
): Promise<void> {
  const { api, flow } = session;
  if (!isReplaceable(live)) throw unchangeable(live, error);
  const { apiVersion, kind, metadata } = live;
  const { name, namespace, uid } = metadata;
  flow.onEvent({ type: 'step', step: 'replace', subject: wordsOf({ kind, name, namespace }) });
  await api.remove({ apiVersion, kind, name, namespace }, { uid, propagation: 'Foreground' }, flow.signal);
  await awaitRemoval([live], Math.max(session.timing.poll, deadline - now()), session);
}
