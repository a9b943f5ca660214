import type { Copied } from '../../kernel/content/index.ts';

/** Adds up what several copies took. */
export function sumOf(all: readonly Copied[]): Copied {
  const sum = (part: keyof Copied): number => all.reduce((total, one) => total + one[part], 0);
  return { moved: sum('moved'), movedBytes: sum('movedBytes'), present: sum('present') };
}
