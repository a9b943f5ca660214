import type { Flow } from '../flow.ts';
import type { HealthFinding } from './request.ts';

/** Milliseconds that somebody else may take to answer. */
const PATIENCE = 10_000;

/**
 * Runs `work`, which asks `subject` something, and ends it after ten seconds, however it waits: then it is found to fail. Throws what
 * `work` throws, and the reason of the flow's signal as soon as that is aborted.
 */
export async function inTime(
  subject: string,
  hint: string,
  flow: Flow,
  work: (flow: Flow) => Promise<readonly HealthFinding[]>,
): Promise<readonly HealthFinding[]> {
  flow.signal.throwIfAborted();
  flow.onEvent({ type: 'step', step: 'ask', subject });
  const limit = AbortSignal.timeout(PATIENCE);
  const signal = AbortSignal.any([flow.signal, limit]);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Whoever looks up a name in a network that is gone hears no signal.
  const running = work({ ...flow, signal });
  running.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([running, ended]);
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!limit.aborted) throw error;
    return [{ state: 'fails', subject, message: `did not answer within ${PATIENCE / 1000} s`, hint }];
  }
}
