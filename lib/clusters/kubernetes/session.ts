import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../../flow.ts';
import { ApiError, type KubernetesApi, type LiveObject, type ObjectName } from './api.ts';

/** How long things are waited for, in milliseconds. */
export interface ApplyTiming {
  /** Between two looks at what is waited for. */
  readonly poll: number;
  /** Without any progress, until the cause is looked for; and again that long until the next time. */
  readonly patience: number;
  /** Until what is deleted has to be gone. */
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

/** Milliseconds of a clock that nobody sets. */
export function now(): number {
  return performance.now();
}

/** Waits; throws the reason of the signal where that is aborted. */
export async function pause(milliseconds: number, { flow: { signal } }: ApplySession): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Reads an object; what the server refuses is handed back, for those who can wait until it answers again. */
export async function readOrRefusal(
  name: ObjectName,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject | ApiError | undefined> {
  return orRefusal(() => api.read(name, signal), signal);
}

/** The outcome of `work`, or the error of the API server; anything else is thrown, and so is an abort. */
export async function orRefusal<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return error;
    throw error;
  }
}
