import { median } from './report.ts';

/** What pairs of runs tell: how much of the time or memory of before it takes now. */
export interface Judgement {
  /** The median of now / before. */
  readonly ratio: number;
  /** Where the true median lies, in 19 of 20 cases. */
  readonly low: number;
  readonly high: number;
  /** `open` where noise may still decide, `unsure` where it would after the last pair. */
  readonly verdict: 'held' | 'worse' | 'open' | 'unsure';
}

/** Most that a row may take of what it took before. */
export const LIMIT = 1.05;

/**
 * Judges the ratios of paired runs. Where they lie around the limit, it is open, unless they are `last`: then the
 * median decides, if the interval says that anything got worse at all. The interval is that of the sign test (Conover,
 * "Practical Nonparametric Statistics", 3.2), which asks nothing of how noise is spread.
 */
export function judgePairs(ratios: readonly number[], last: boolean): Judgement {
  const sorted = ratios.toSorted((a, b) => a - b);
  const cut = cutOf(sorted.length);
  const [low, high] = [sorted[cut]!, sorted[sorted.length - 1 - cut]!];
  const ratio = median(sorted);
  if (high <= LIMIT || (last && ratio <= LIMIT)) return { ratio, low, high, verdict: 'held' };
  if (low > LIMIT || (last && low > 1)) return { ratio, low, high, verdict: 'worse' };
  return { ratio, low, high, verdict: last ? 'unsure' : 'open' };
}

/** How many of the smallest and of the largest of so many numbers lie outside of the interval. */
function cutOf(count: number): number {
  let [chance, below] = [0.5 ** count, 0];
  for (let cut = 0; ; cut += 1) {
    below += chance;
    if (below > 0.025) return Math.max(0, cut - 1);
    chance = (chance * (count - cut)) / (cut + 1);
  }
}
