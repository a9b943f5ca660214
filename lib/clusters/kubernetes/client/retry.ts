import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfter } from '../../../http/retry-after.ts';
import { codeOf } from '../../../system-errors.ts';
import type { Answer, Timing } from './http.ts';
import { isDefinite } from './status.ts';

const statuses = new Set([429, 500, 502, 503, 504]);
const codes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What became of a request that was sent, perhaps more than once. */
export interface Outcome {
  readonly answer: Answer;
  /** Whether an earlier attempt may have reached the server. */
  readonly repeated: boolean;
}

/**
 * Sends a request that may be sent twice, and sends it again as long as the server or the network may recover: the
 * API server restarts, is busy, or waits for a webhook that is about to come up. The last answer is returned, whatever
 * its status; the last failure of the network is thrown.
 */
export async function persist(send: () => Promise<Answer>, timing: Timing, signal: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  let repeated = false;
  for (let attempt = 1; ; attempt += 1) {
    // The jitter keeps those that failed together from coming back together.
    const usual = Math.min(timing.longest, timing.pause * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    const elapsed = performance.now() - start;
    let wait = usual;
    try {
      const answer = await send();
      if (!statuses.has(answer.status) || isDefinite(answer)) return { answer, repeated };
      wait = retryAfter(answer.headers['retry-after'], Date.now()) ?? usual;
      if (elapsed + wait > timing.total) return { answer, repeated };
    } catch (error) {
      const refused = codeOf(error) === 'ECONNREFUSED';
      const total = refused ? (timing.refused ?? timing.total) : timing.total;
      if (signal.aborted || !isTransient(error) || elapsed + wait > total) throw error;
      repeated ||= !refused;
    }
    await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.has(code);
}
