import type { HeavyFile } from './heavy-files.ts';

/** Which heavy files a change is worth, and which of these did not fit. */
export interface Choice {
  readonly chosen: readonly string[];
  readonly left: readonly string[];
}

/**
 * Chooses the heavy files that watch one of the `changed` files, as far as `seconds` of wall time go if `workers` of
 * them run at the same time. A file that was changed itself comes first; then those that watch the change most closely,
 * and of these the cheapest.
 */
export function chooseHeavy(
  changed: readonly string[],
  files: Readonly<Record<string, HeavyFile>>,
  seconds: number,
  workers: number,
): Choice {
  const ranked = Object.entries(files)
    .map(([file, { seconds: cost, watches }]) => ({ file, cost, closeness: closenessOf(file, watches, changed) }))
    .filter(({ closeness }) => closeness > 0)
    .sort((a, b) => b.closeness - a.closeness || a.cost - b.cost);
  const chosen: string[] = [];
  const left: string[] = [];
  let room = seconds * workers;
  for (const { file, cost } of ranked) {
    if (cost <= room) {
      chosen.push(file);
      room -= cost;
    } else {
      left.push(file);
    }
  }
  return { chosen, left };
}

/** The length of the longest path that is watched and has a change below it; 0 for none. */
function closenessOf(file: string, watches: readonly string[], changed: readonly string[]): number {
  if (changed.includes(file)) return Number.POSITIVE_INFINITY;
  const touched = watches.filter((path) => changed.some((one) => one === path || one.startsWith(`${path}/`)));
  return Math.max(0, ...touched.map((path) => path.length));
}
