import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../../../../kernel/events/index.ts';
import { ApiError, type KubernetesApi, type LiveObject, type ObjectName } from './api.ts';

/** How long an apply waits, in milliseconds. */
export interface ApplyTiming {
  /** Between two looks at what is waited for. */
  readonly poll: number;
  /** Without progress, until the cause is looked for, and until it is looked for again. */
  readonly patience: number;
  /** Until deleted objects have to be gone. */
  readonly removal: number;
  /** Without a sign of life of another run, until it counts as ended. */
  readonly lease: number;
}

/** The timing of real installs. */
export const defaultTiming: ApplyTiming = { poll: 1_000, patience: 10_000, removal: 300_000, lease: 10_000 };

/** What every step of an apply works with. */
export interface ApplySession {
  readonly api: KubernetesApi;
  readonly flow: Flow;
  readonly timing: ApplyTiming;
  /** Takes over fields that other managers own. */
  readonly force: boolean;
}

/** Returns the milliseconds of a monotonic clock. */
export function now(): number {
  return performance.now();
}

/** Waits. Throws the reason of the signal where that is aborted. */
export async function pause(milliseconds: number, { flow: { signal } }: ApplySession): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/**
 * Reads an object. Returns the refusal of the server instead of throwing it, for callers that wait until it answers
 * again.
 */
export async function readOrRefusal(
  name: ObjectName,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject | ApiError | undefined> {
  return orRefusal(() => api.read(name, signal), signal);
}

/**
 * Returns the result of `work`, or the refusal of the API server. Throws every other error, and the reason of an
 * aborted signal.
 */
export async function orRefusal<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return error;
    throw error;
  }
}
