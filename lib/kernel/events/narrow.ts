import { setImmediate as turn } from 'node:timers/promises';

/** How many entries are looked at before signals are heard again. */
const SLICE = 10_000;

/**
 * Leaves of a long list what `choose` leaves of each part of it, given with what was left so far, so that a signal is
 * heard meanwhile. Calling `choose` with the whole list has to come to the same. A short list is returned as it is.
 * Throws the reason of `signal`.
 */
export async function narrow<Entry>(
  list: readonly Entry[],
  signal: AbortSignal,
  choose: (part: readonly Entry[]) => readonly Entry[],
): Promise<readonly Entry[]> {
  if (list.length <= SLICE) return list;
  let left: readonly Entry[] = [];
  for (let at = 0; at < list.length; at += SLICE) {
    await turn();
    signal.throwIfAborted();
    left = choose([...left, ...list.slice(at, at + SLICE)]);
  }
  return left;
}
