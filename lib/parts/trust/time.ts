import type { Memory } from './memory.ts';
import { type Policy, ruleFor } from './policy.ts';

/** What can be taken for the time. Seconds since 1970. */
export interface Time {
  /** The clock, or later where a Solution proves it whose rule says `movesTime`. */
  readonly proved: number;
  /**
   * The latest that anything speaks for: the newest release of the Solution itself too. It keeps an expired release
   * from coming back under a clock that was turned back, and never lets pass what `proved` would not.
   */
  readonly latest: number;
}

/** The clock, or the newest date that is remembered of a Solution which advances the time for all by this policy. */
export function provedTime(policy: Policy, clock: number, { solutions }: Memory): number {
  const dates = [...solutions].map(([name, { newest = clock }]) => (ruleFor(policy, name)?.movesTime ? newest : clock));
  return Math.max(clock, ...dates);
}

/** The time for what is decided about the Solution `name`. */
export function timeFor(name: string, policy: Policy, clock: number, memory: Memory): Time {
  const proved = provedTime(policy, clock, memory);
  return { proved, latest: Math.max(proved, memory.solutions.get(name)?.newest ?? proved) };
}

/** A date for messages. */
export function date(seconds: number): string {
  return new Date(1000 * seconds).toISOString().replace('.000Z', 'Z');
}
