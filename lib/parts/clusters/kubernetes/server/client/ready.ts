import type { HttpTiming } from '../../../../../kernel/http/index.ts';
import { ApiError } from '../api.ts';
import type { ApiCall, ApiSession } from './api-session.ts';

/**
 * Asks a server whether it is ready (Kubernetes API health endpoints, `/readyz`), and returns why not, in words. One
 * that does not let this user ask has answered, and counts as ready. Throws `ApiError` where nobody answers.
 */
export async function whyNotReady(
  session: ApiSession,
  timing: HttpTiming,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = '/readyz';
  // What is not ready answers 500: that is what is asked for, and not to be asked again.
  const also = [403, 404, 500, 503];
  const call: ApiCall = {
    method: 'GET',
    path,
    query: { verbose: '' },
    verb: 'read',
    subject: path,
    also,
    timing,
    signal,
  };
  try {
    const reply = await session.send(call);
    return reply.status < 500 ? undefined : wordsOf(reply.text());
  } catch (error) {
    if (error instanceof ApiError && error.status >= 500) return wordsOf(error.message);
    throw error;
  }
}

/** Names the checks that failed, `[-]etcd failed: reason withheld` among others, or else says what was answered. */
function wordsOf(answer: string): string {
  const failed = [...answer.matchAll(/^\[-\]([^\s]+) failed/gm)].map(([, name]) => name!);
  return failed.length > 0 ? `not ready: ${failed.join(', ')}` : 'not ready';
}
