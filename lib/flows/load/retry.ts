import { type Flow, SolpackError } from '../../kernel/events/index.ts';

/** Milliseconds between two tries. */
const INTERVAL = 5_000;

/**
 * Does `work` again while a precondition of the machine is unmet (`plugin-unmet`), for up to `time` milliseconds after
 * the first try has failed; 0 is one try. Every other failure is thrown at once.
 */
export async function whileUnmet<T>(time: number, flow: Flow, work: () => Promise<T>): Promise<T> {
  let end: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SolpackError) || error.code !== 'plugin-unmet') throw error;
      const now = performance.now();
      end ??= now + time;
      if (now + INTERVAL > end) throw error;
      const { subject, message } = error;
      flow.onEvent({ type: 'notice', subject, message: `${message}; it is run again in ${INTERVAL / 1000} s` });
    }
    await pause(INTERVAL, flow.signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((settle, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      settle();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
