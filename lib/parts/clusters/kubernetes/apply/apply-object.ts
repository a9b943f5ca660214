import type { Action } from '../../kind.ts';
import type { PlannedObject } from '../desired/index.ts';
import { type Applying, inherit, legacyOf } from '../memory/index.ts';
import {
  ApiError,
  type ApplySession,
  awaitRemoval,
  isDefinition,
  isImmutable,
  type LiveObject,
  now,
  pause,
  wordsOf,
} from '../server/index.ts';
import { isReplaceable, unchangeable } from './replace.ts';
import { isTransientRefusal } from './transient-refusals.ts';

/** How long a quota that was just changed may take to count, in milliseconds. */
const QUOTA = 10_000;

/** What applying an object did, and the object as it then was; undefined where it was not looked at. */
export interface Applied {
  readonly action: Action;
  readonly live: LiveObject | undefined;
}

/**
 * Applies one object, and returns what that did. Neither asks for an object that is as it was applied, nor looks for
 * one that was not there a moment ago. Waits for an object that is being deleted, and makes it again. Replaces an
 * object whose immutable fields have to change, where nothing is lost by that. Repeats a refusal that may be temporary
 * until `timeout` milliseconds have passed.
 */
export async function applyObject(
  { key, name, object }: PlannedObject,
  timeout: number,
  session: Applying,
): Promise<Applied> {
  const { api, flow, force, owner } = session;
  if (session.untouched.has(key)) return { action: 'unchanged', live: undefined };
  let isNew = session.absent.has(key);
  const { manager } = owner;
  const deadline = now() + timeout;
  const quotaSeen = now() + Math.min(timeout, QUOTA);
  let reported = '';
  for (;;) {
    let before = isNew ? undefined : await api.read(name, flow.signal);
    if (before?.metadata.deletionTimestamp !== undefined) {
      await awaitRemoval([before], Math.max(0, deadline - now()), session);
      continue;
    }
    try {
      before &&= await inherit(before, legacyOf(before, owner), session);
      // A new definition is never established in the answer, and all else of that is as large as itself.
      const brief = isNew && isDefinition(object) ? { metadata: true as const } : {};
      const after = await api.apply(object, { force, manager, ...brief }, flow.signal);
      if (!isNew || after.metadata.deletionTimestamp === undefined) {
        return { action: actionOf(before, after), live: after };
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (before !== undefined && isImmutable(error)) {
        await deleteToReplace(before, error, deadline, session);
        return { action: 'replaced', live: await api.apply(object, { force, manager }, flow.signal) };
      }
      // It is there after all.
      if (isNew && isImmutable(error)) {
        isNew = false;
        continue;
      }
      // A quota that was just raised counts once its controller has seen it.
      const isLate = session.newQuotas.has(name.namespace ?? '') && /exceeded quota/.test(error.message);
      const until = isTransientRefusal(error) ? deadline : isLate ? quotaSeen : 0;
      if (now() >= until) throw error;
      if (error.message !== reported) {
        reported = error.message;
        flow.onEvent({ type: 'step', step: 'wait', subject: `${wordsOf(name)}: ${reported}` });
      }
    }
    isNew = false;
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
