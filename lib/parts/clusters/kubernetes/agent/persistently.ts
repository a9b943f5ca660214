import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow, SolpackError } from '../../../../kernel/events/index.ts';
import { ApiError, clusterError } from '../server/index.ts';

/** Milliseconds before the server is asked again: at first, and at most. */
const PAUSE = 500;
const LONGEST = 8_000;

/**
 * Does `work` again and again until the flow is aborted, at once where it ended well, and after a pause where the
 * server was away or refused. What goes wrong is reported once. Throws all that is no matter of the server.
 */
export async function persistently(
  server: string,
  { signal, onEvent }: Pick<Flow, 'signal' | 'onEvent'>,
  work: () => Promise<void>,
): Promise<never> {
  let reported = '';
  for (let pause = PAUSE; ; ) {
    try {
      await work();
      pause = PAUSE;
      reported = '';
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      const { subject, message, code } = clusterError(error, server) as SolpackError;
      if (code !== reported) onEvent({ type: 'notice', subject, message: `${message}; retrying` });
      reported = code;
      pause = Math.min(2 * pause, LONGEST);
    }
    await sleep(pause, undefined, { signal }).catch((error) => {
      throw signal.aborted ? signal.reason : error;
    });
  }
}
