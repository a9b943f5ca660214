import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

// The gate runs a sample of each test that is a matrix, drawn by a seed that is made of the commit, so that each change
// draws another one, and each run of the same commit the same. The heavy lane runs all of it.

/** Whether matrices are run whole: SOLPACK_EXHAUSTIVE=1, which `npm run test:heavy` sets. */
export const isExhaustive: boolean = process.env['SOLPACK_EXHAUSTIVE'] === '1';

/** The seed of all samples: SOLPACK_SEED, or else a number made of the commit that is checked out. */
export const seed: number = Number(process.env['SOLPACK_SEED'] ?? seedOf(commit()));

/** Draws `count` distinct elements, in their own order; all of them if the run is exhaustive or there are no more. */
export function sampled<T>(elements: readonly T[], count: number): readonly T[] {
  return isExhaustive ? elements : drawn(elements, count, seed);
}

/**
 * How a property is run `count` times where the run is exhaustive, and else a tenth of that, each commit from other
 * inputs.
 */
export function sampledRuns(count: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: isExhaustive ? count : Math.ceil(count / 10) };
}

/** Draws `count` distinct elements by `from`, in their own order. */
function drawn<T>(elements: readonly T[], count: number, from: number): readonly T[] {
  const random = chance(from);
  const places = elements.map((_, index) => ({ index, rank: random() }));
  const chosen = places.sort((a, b) => a.rank - b.rank).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ index }) => elements[index]!);
}

/** Returns a source of numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function chance(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

function commit(): string {
  const cwd = join(import.meta.dirname, '../..');
  return spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).stdout?.trim() ?? '';
}
