import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../system-errors.ts';
import { follow } from './redirect.ts';
import { retryAfter } from './retry-after.ts';
import { StalledError } from './stalled.ts';
import type { Answer, Request, Timing, Transport } from './transport.ts';

const ATTEMPTS = 4;
/** The longest `Retry-After` that is waited for, in milliseconds. */
const PATIENCE = 60_000;
const statuses = new Set([408, 429, 500, 502, 503, 504]);
const codes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether a failed exchange may well succeed when it is tried again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StalledError) return error.connected;
  const code = codeOf(error);
  return code !== undefined && codes.has(code);
}

/** Waits before attempt `attempt + 1` (the first is 1): twice as long each time, less a random part. */
export async function backOff(attempt: number, timing: Timing, signal?: AbortSignal): Promise<void> {
  const longest = timing.pause * 2 ** (attempt - 1);
  await pause(longest * (0.5 + Math.random() / 2), timing, signal);
}

/**
 * Sends a request, follows redirects, and tries again where the server or the network may recover, as long as the
 * body can still be sent from its start. The answer of the last attempt is returned, whatever its status.
 */
export async function persist(transport: Transport, request: Request, timing: Timing): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const final = (): boolean => attempt === ATTEMPTS || request.body?.fresh() === false;
    try {
      const answer = await follow(transport, request);
      if (!statuses.has(answer.status) || final()) return answer;
      if (!(await waitFor(answer, attempt, timing, request.signal))) return answer;
      answer.discard();
      continue;
    } catch (error) {
      if (request.signal?.aborted || !isTransient(error) || final()) throw error;
    }
    await backOff(attempt, timing, request.signal);
  }
}

/**
 * Waits as long as the answer asks for, else as `backOff` does; false, at once, where it asks for more than a minute.
 */
export async function waitFor(answer: Answer, attempt: number, timing: Timing, signal?: AbortSignal): Promise<boolean> {
  const asked = retryAfter(answer.headers['retry-after'], Date.now());
  if (asked === undefined) await backOff(attempt, timing, signal);
  else if (asked > PATIENCE) return false;
  else await pause(asked, timing, signal);
  return true;
}

/** Whether an answer of this status may well be another one when it is asked for again. */
export function isPassing(status: number): boolean {
  return statuses.has(status);
}

async function pause(milliseconds: number, { wait }: Timing, signal: AbortSignal | undefined): Promise<void> {
  if (wait) return wait(milliseconds, signal);
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
