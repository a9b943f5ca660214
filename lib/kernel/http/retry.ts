import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../events/index.ts';
import type { Answer } from './answer.ts';
import { retryAfter } from './retry-after.ts';
import type { HttpTiming } from './timing.ts';
import { StalledError } from './transport-errors.ts';

/** What has to be known of an answer to say whether another one may be better. */
type Head = Pick<Answer, 'status' | 'headers'>;

/** Which failures may pass, and how often it is tried again. `HttpTiming` has how long that takes. */
export interface RetryPolicy<A extends Head = Head> {
  /** Statuses of answers that may well be others next time. */
  readonly statuses: ReadonlySet<number>;
  /** Returns whether an answer of such a status is final all the same. */
  readonly isFinal?: (answer: A) => boolean;
  /** Whether a server that cannot be connected to may come up, as one does that restarts. */
  readonly awaitsServer: boolean;
  /** Attempts in all. */
  readonly attempts: number;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds. If a server asks for more, its answer is the last.
   */
  readonly longestAsked: number;
}

/** What holds for registries and for files on servers. */
export const usualPolicy: RetryPolicy = {
  statuses: new Set([408, 429, 500, 502, 503, 504]),
  awaitsServer: false,
  attempts: 4,
  longestAsked: 60_000,
};

const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ERR_STREAM_PREMATURE_CLOSE']);
const absent = new Set(['ECONNABORTED', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** How something is tried again. */
export interface RetryOptions<A extends Head> {
  readonly policy: RetryPolicy<A>;
  readonly timing: HttpTiming;
  readonly signal: AbortSignal | undefined;
  /** Returns whether another attempt can be made: a body may have been sent that cannot be had again. */
  readonly mayRepeat?: () => boolean;
  /** Lets go of an answer that another one is asked for instead of. */
  readonly discard?: (answer: A) => void;
}

/** The last answer of several attempts. */
export interface Persisted<A> {
  readonly answer: A;
  /** Whether an earlier attempt may have reached the server. */
  readonly repeated: boolean;
}

/**
 * Makes attempts as long as the server or the network may recover. Returns the answer of the last one, whatever its
 * status, and throws what the last one threw. The signal's reason is thrown where that ends the waiting.
 */
export async function persist<A extends Head>(
  attempt: () => Promise<A>,
  options: RetryOptions<A>,
): Promise<Persisted<A>> {
  const { policy, timing, signal, mayRepeat, discard } = options;
  const start = performance.now();
  let repeated = false;
  for (let count = 1; ; count += 1) {
    const elapsed = performance.now() - start;
    const fits = (wait: number, total = timing.total): boolean =>
      count < policy.attempts && (mayRepeat?.() ?? true) && elapsed + wait <= (total ?? Number.POSITIVE_INFINITY);
    let wait: number | undefined;
    try {
      const answer = await attempt();
      if (!policy.statuses.has(answer.status) || policy.isFinal?.(answer)) return { answer, repeated };
      wait = waitAfter(answer, count, timing, policy);
      if (wait === undefined || !fits(wait)) return { answer, repeated };
      discard?.(answer);
    } catch (error) {
      const refused = codeOf(error) === 'ECONNREFUSED';
      wait = backOffTime(count, timing);
      const again = isTransient(error, policy) && fits(wait, refused ? (timing.refused ?? timing.total) : timing.total);
      if (signal?.aborted || !again) throw error;
      repeated ||= !refused;
    }
    await pause(wait, timing, signal);
  }
}

/** Returns whether a failed exchange may well succeed when it is tried again. */
export function isTransient(
  error: unknown,
  { awaitsServer }: Pick<RetryPolicy, 'awaitsServer'> = usualPolicy,
): boolean {
  if (error instanceof StalledError) return error.connected || awaitsServer;
  const code = codeOf(error);
  return code !== undefined && (broken.has(code) || (awaitsServer && absent.has(code)));
}

/** Returns whether an answer of this status may well be another one when it is asked for again. */
export function isPassingStatus(status: number): boolean {
  return usualPolicy.statuses.has(status);
}

/** Waits before attempt `attempt + 1` (the first is 1): twice as long each time, less a random part. */
export async function backOff(attempt: number, timing: HttpTiming, signal?: AbortSignal): Promise<void> {
  await pause(backOffTime(attempt, timing), timing, signal);
}

/**
 * Waits as long as the answer asks for, otherwise as `backOff` does; false, at once, where it asks for more than a
 * minute.
 */
export async function waitFor(
  answer: Head,
  attempt: number,
  timing: HttpTiming,
  signal?: AbortSignal,
): Promise<boolean> {
  const wait = waitAfter(answer, attempt, timing, usualPolicy);
  if (wait === undefined) return false;
  await pause(wait, timing, signal);
  return true;
}

/** Milliseconds to wait after an answer; undefined where it asks for more than is waited. */
function waitAfter(
  { headers }: Head,
  attempt: number,
  timing: HttpTiming,
  { longestAsked }: Pick<RetryPolicy, 'longestAsked'>,
): number | undefined {
  const asked = retryAfter(headers['retry-after'], Date.now());
  if (asked === undefined) return backOffTime(attempt, timing);
  return asked > longestAsked ? undefined : asked;
}

/**
 * Returns how long is waited after an attempt. The random part keeps those that failed together from coming back
 * together.
 */
function backOffTime(attempt: number, { pause: first, longest = Number.POSITIVE_INFINITY }: HttpTiming): number {
  return Math.min(longest, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

async function pause(milliseconds: number, { wait }: HttpTiming, signal: AbortSignal | undefined): Promise<void> {
  if (wait) return wait(milliseconds, signal);
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
