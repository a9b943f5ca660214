import { setTimeout as sleep } from 'node:timers/promises';
import { type ExpectPollOptions, expect } from 'vitest';

/**
 * How long something is waited for that comes at once on a quiet machine, in milliseconds: a busy one is not at fault.
 */
export const PATIENCE = 120_000;
const INTERVAL = 100;

/**
 * Asks until what is expected of the answer holds: `await eventually(ask).toBe('ready')`. A failure tells what was
 * expected and the last answer. For tests that run at the same time there is `until`.
 */
export function eventually<T>(
  ask: () => T,
  { timeout = PATIENCE, interval = INTERVAL }: ExpectPollOptions = {},
): ReturnType<typeof expect.poll<T>> {
  return expect.poll(ask, { timeout, interval });
}

/**
 * Asks until the answer is what is waited for, and returns it. What asking throws counts as an answer that is not.
 * Throws after `patience` milliseconds, with what was waited for and the last answer.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  isWanted: (answer: T) => boolean,
  patience: number = PATIENCE,
): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    let seen: unknown;
    try {
      const answer = await ask();
      if (isWanted(answer)) return answer;
      seen = answer;
    } catch (error) {
      seen = error;
    }
    if (performance.now() >= end)
      throw new Error(`after ${patience / 1000} s there is no ${isWanted}; the last: ${told(seen)}`);
    await sleep(INTERVAL);
  }
}

function told(seen: unknown): string {
  return seen instanceof Error || typeof seen === 'string' ? String(seen) : JSON.stringify(seen);
}
