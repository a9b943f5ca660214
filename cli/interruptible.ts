import type { Interruption } from '../lib/index.ts';
import type { CommandSession } from './command-session.ts';
import { plain } from './io.ts';
import { printLines, readable } from './lines.ts';

/**
 * Does `work`, which a person at a terminal ends by Ctrl-C. If it has left something in part that it can go back from,
 * they are asked what becomes of that; Ctrl-C once more leaves it at once. Without a terminal nobody is asked.
 */
export async function interruptible<T>(
  { io, flow, progress }: CommandSession,
  work: (interruption: Interruption | undefined) => Promise<T>,
): Promise<T> {
  const { ask, interrupts } = io;
  if (ask === undefined || interrupts === undefined) return work(undefined);
  const stop = new AbortController();
  let hasGoneBack = false;
  const free = interrupts.take(() => {
    flow.onEvent({ type: 'step', step: 'stop', subject: 'Ctrl-C again ends it at once' });
    stop.abort();
  });
  const goesBack = async (present: string, before: string): Promise<boolean> => {
    progress.pause();
    const text = `${plain(present)} is installed in part. Its images stay where they are.`;
    printLines(io.stderr, readable([text], io.stderr));
    const answer = await ask(plain(`Leave it as it is, or roll back to ${before}? [leave/roll back] `), true);
    hasGoneBack = /^(?:r|roll ?back)$/i.test(answer.trim());
    return hasGoneBack;
  };
  try {
    return await work({ signal: stop.signal, goesBack });
  } catch (error) {
    // Ended, and left as it is: reported like every other end.
    if (stop.signal.aborted && !hasGoneBack) interrupts.end();
    throw error;
  } finally {
    free();
  }
}
