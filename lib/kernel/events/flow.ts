import type { OnEvent } from './events.ts';
import type { Host } from './host.ts';

/** What every flow gets in addition to its request. */
export interface Flow {
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  readonly host: Host;
}

/** How many transfers run at once, unless a flow says otherwise. */
export const TRANSFERS = 4;

/**
 * Runs `work` over `items`, at most `limit` at once. After the first failure it aborts the signal of the others, waits
 * until they have ended, and throws that failure.
 */
export async function pool<T>(
  items: Iterable<T>,
  options: { limit?: number; signal?: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const own = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal;
  const iterator = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (;;) {
      if (failure) return;
      try {
        const next = iterator.next();
        if (next.done) return;
        signal.throwIfAborted();
        await work(next.value, signal);
      } catch (error) {
        failure ??= { error };
        own.abort(error);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.limit ?? TRANSFERS) }, worker));
  if (failure) throw failure.error;
}
