import { SolpackError } from '../../../../kernel/events/index.ts';
import { ApiError, type LiveObject, nameOf, wordsOf } from './api.ts';
import { conditionOf, listAt, textAt } from './object-path.ts';
import { oneLine } from './one-line.ts';
import { type ApplySession, now, pause, readOrRefusal } from './session.ts';

/** Set by the server: the object waits until what it owns is deleted (garbage collection, foreground). */
const FOREGROUND = 'foregroundDeletion';

/**
 * Waits until deleted objects are gone, and reports what it waits for. Throws `object-not-removed`, naming the
 * finalizers that hold one, after `timeout` milliseconds.
 */
export async function awaitRemoval(
  objects: readonly LiveObject[],
  timeout: number,
  session: ApplySession,
): Promise<void> {
  const deadline = now() + timeout;
  const reported = new Set<string>();
  let left: readonly LiveObject[] = objects;
  for (let looks = 1; ; looks += 1) {
    const seen: LiveObject[] = [];
    let failure: ApiError | undefined;
    for (const object of left) {
      const live = await readOrRefusal(nameOf(object), session);
      if (live instanceof ApiError) failure = live;
      // An object with another uid was made by somebody since.
      if (live instanceof ApiError) seen.push(object);
      else if (live?.metadata.uid === object.metadata.uid) seen.push(live);
    }
    left = seen;
    const [first] = left;
    if (first === undefined) return;
    if (now() >= deadline) {
      if (failure !== undefined) throw failure;
      throw stuck(first, left.length - 1, timeout);
    }
    const subject = `${wordsOf(nameOf(first))}: ${whatHolds(first)}`;
    // Most are gone at the second look.
    if (looks > 1 && !reported.has(subject)) {
      reported.add(subject);
      session.flow.onEvent({ type: 'step', step: 'remove', subject });
    }
    await pause(session.timing.poll, session);
  }
}

function stuck(object: LiveObject, others: number, timeout: number): SolpackError {
  const words = wordsOf(nameOf(object));
  const more = others === 0 ? '' : `, and ${others} more still exist`;
  const message = `deleted, but still there after ${Math.round(timeout / 1000)} s: ${whatHolds(object)}${more}`;
  const finalizers = heldBy(object);
  const hint =
    finalizers.length > 0
      ? `check that the controller of ${finalizers.join(' and ')} runs; only if it no longer exists, remove the finalizer by hand`
      : 'look at it with "kubectl describe"; then run the same command again';
  return new SolpackError('object-not-removed', words, message, { hint });
}

function heldBy({ metadata, spec }: LiveObject): string[] {
  const ofNamespace = listAt(spec, 'finalizers').filter((name) => typeof name === 'string' && name !== 'kubernetes');
  return [...(metadata.finalizers ?? []).filter((name) => name !== FOREGROUND), ...(ofNamespace as string[])];
}

/** Describes what holds an object. */
function whatHolds(object: LiveObject): string {
  const finalizers = heldBy(object);
  if (finalizers.length > 0)
    return `held by ${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`;
  for (const type of ['NamespaceDeletionContentFailure', 'NamespaceFinalizersRemaining', 'NamespaceContentRemaining']) {
    const condition = object.kind === 'Namespace' ? conditionOf(object, type) : undefined;
    if (condition?.status === 'True') return oneLine(condition.message);
  }
  if (object.metadata.finalizers?.includes(FOREGROUND)) return 'waits until the objects that it owns are gone';
  return textAt(object, 'metadata', 'deletionTimestamp') === '' ? 'is there' : 'is ending';
}
