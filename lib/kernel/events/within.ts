import type { Flow } from './flow.ts';

/**
 * Runs `work` for `limit` milliseconds at most, however it waits; undefined where it was not done by then. Throws what
 * `work` throws, and the reason of the flow's signal as soon as that is aborted.
 */
export async function within<T extends object>(
  limit: number,
  flow: Flow,
  work: (flow: Flow) => Promise<T>,
): Promise<T | undefined> {
  flow.signal.throwIfAborted();
  const late = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([flow.signal, late]);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // The person who looks up a name in a network that is gone hears no signal.
  const running = work({ ...flow, signal });
  running.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([running, ended]);
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!late.aborted) throw error;
    return undefined;
  }
}
