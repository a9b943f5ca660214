import { type Remembered, readMemory } from './memory.ts';
import { type Policy, policyOfKeys, ruleFor } from './policy.ts';
import { provedTime, timeFor } from './time.ts';

/** What is remembered, and its meaning. Dates are seconds since 1970. */
export interface Shown {
  /** The folder. */
  readonly state: string;
  readonly clock: number;
  /** The clock, or later where a Solution that advances the time for all proves it. */
  readonly time: number;
  readonly solutions: readonly ShownSolution[];
  /** Digests of the fixes that were applied. */
  readonly mends: readonly string[];
}

/** What is remembered of a Solution, and its meaning. */
export interface ShownSolution extends Remembered {
  readonly name: string;
  /** Whether it advances the time for all. */
  readonly movesTime: boolean;
  /** What its own end, and that of its keys, is compared with. */
  readonly time: number;
}

/**
 * Returns what earlier installs have left in a folder, and its meaning by a policy; without a policy, its meaning if
 * only keys are trusted. Throws `trust-state-invalid`.
 */
export async function showMemory(state: string, clock: number, policy: Policy = policyOfKeys([])): Promise<Shown> {
  const memory = await readMemory(state);
  const solutions = [...memory.solutions].map(([name, remembered]): ShownSolution => {
    const movesTime = ruleFor(policy, name)?.movesTime ?? false;
    return { name, ...remembered, movesTime, time: timeFor(name, policy, clock, memory).latest };
  });
  return { state, clock, time: provedTime(policy, clock, memory), solutions, mends: memory.mends };
}
