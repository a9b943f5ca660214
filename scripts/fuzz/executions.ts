import { faultOf, type Outcome } from './faults.ts';
import { type Random, randomOf } from './random.ts';
import type { Feed, Input, Target } from './target.ts';
import { targetsNamed } from './targets/index.ts';

/** A fault, and the input that caused it. */
export interface Found {
  readonly target: string;
  readonly sample: string;
  readonly why: string;
  readonly bytes: Uint8Array;
}

/** How an execution ended that has no fault. */
export interface Ended {
  readonly target: string;
  readonly outcome: Outcome;
}

/** Runs executions by number: one number does the same each time. */
export interface Executions {
  /** The samples of each target. */
  readonly feeds: readonly Feed[];
  run(seed: number, execution: number): Promise<Ended | Found>;
  /** Returns the input of an execution that did not come back to report it. */
  input(seed: number, execution: number): Pick<Found, 'target' | 'sample' | 'bytes'>;
}

interface Loaded {
  readonly target: Target;
  readonly feed: Feed;
  /** The sum of the weights up to this target. */
  readonly until: number;
}

/** Loads the samples of the targets `names`. */
export async function executionsOf(names: readonly string[]): Promise<Executions> {
  const loaded: Loaded[] = [];
  let sum = 0;
  for (const target of targetsNamed(names)) {
    sum += target.weight;
    loaded.push({ target, feed: await target.load(), until: sum });
  }
  const choose = (random: Random): Loaded => {
    const at = random.below(sum);
    return loaded.find(({ until }) => at < until)!;
  };
  const prepare = (seed: number, execution: number): { target: string; input: Input } => {
    const random = randomOf(seed, execution);
    const { target, feed } = choose(random);
    return { target: target.name, input: feed.prepare(random) };
  };
  return {
    feeds: loaded.map(({ feed }) => feed),
    run: async (seed, execution) => {
      const { target, input } = prepare(seed, execution);
      try {
        const end = await faultOf(input.one, input.bytes);
        if (typeof end === 'string') return { target, outcome: end };
        const bytes = Uint8Array.from(await input.reduced(end.fault));
        return { target, sample: input.sample, why: end.fault, bytes };
      } finally {
        input.close();
      }
    },
    input: (seed, execution) => {
      const { target, input } = prepare(seed, execution);
      const bytes = Uint8Array.from(input.bytes);
      input.close();
      return { target, sample: input.sample, bytes };
    },
  };
}
