import { setTimeout as sleep } from 'node:timers/promises';
import { exits, type Flow, SolpackError } from '../../../kernel/events/index.ts';

/**
 * Does `work` again and again, `every` milliseconds after it has ended, until the flow is aborted. What goes wrong may
 * well be right again later, as when an API server goes away: it is reported once, and so is that it has ended. What
 * was asked wrongly ends it. Throws that, and the reason of an aborted signal.
 */
export async function repeatedly(every: number, { signal, onEvent }: Flow, work: () => Promise<void>): Promise<never> {
  for (let reported = ''; ; ) {
    try {
      await work();
      if (reported !== '') onEvent({ type: 'notice', message: 'recovered; continuing' });
      reported = '';
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SolpackError) || error.exit === exits.usage) throw error;
      if (error.code !== reported)
        onEvent({ type: 'notice', subject: error.subject, message: `${error.message}; retrying` });
      reported = error.code;
    }
    await sleep(every, undefined, { signal }).catch((error) => {
      throw signal.aborted ? signal.reason : error;
    });
  }
}
