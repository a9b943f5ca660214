/**
 * Milliseconds: what counts of the past; how far apart samples are; from when on there is a rate, and a time that is
 * left.
 */
const times = { window: 10_000, apart: 250, rate: 1_000, left: 3_000 } as const;

/** How much the last half of the window may differ from all of it, for a time that is left to be trusted. */
const STEADY = 0.35;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** How fast bytes move: over the last ten seconds, so that neither a pause nor a burst long ago counts. */
export interface MovingRate {
  /** Says that `done` bytes have been moved at a time, in milliseconds. */
  add(at: number, done: number): void;
  /** Returns bytes per second; undefined in the first second. */
  perSecond(now: number): number | undefined;
  /**
   * Returns how many milliseconds `left` bytes will take; undefined where bytes have not moved steadily for some
   * seconds.
   */
  remaining(now: number, left: number): number | undefined;
}

/** Begins to measure, at a time, what has moved `done` bytes. */
export function movingRate(at: number, done = 0): MovingRate {
  const samples: Sample[] = [{ at, done }];
  let last: Sample = samples[0]!;
  const between = (from: number, now: number): number | undefined => {
    // The newest one before the window says where it begins.
    const first = [...samples, last].findLast((sample) => sample.at <= from) ?? samples[0]!;
    return now - first.at < times.rate ? undefined : (1000 * Math.max(0, last.done - first.done)) / (now - first.at);
  };
  return {
    add: (now, count) => {
      last = { at: now, done: count };
      if (now - samples.at(-1)!.at >= times.apart) samples.push(last);
      while (samples.length > 1 && samples[1]!.at <= now - times.window) samples.shift();
    },
    perSecond: (now) => between(now - times.window, now),
    remaining: (now, left) => {
      if (now - samples[0]!.at < times.left) return undefined;
      const [all, recent] = [between(now - times.window, now), between(now - times.window / 3, now)];
      if (!all || recent === undefined || Math.abs(recent - all) > STEADY * all) return undefined;
      return (1000 * left) / all;
    },
  };
}
