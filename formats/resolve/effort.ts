/**
 * How much is looked at for a world before it counts as too entangled: for rules as they are made, for what meets them,
 * and for each time that the search looks at one. Real worlds take some thousands. Nobody has vouched for archives by
 * then.
 */
const MOST = 5_000_000;

/** What a rule, and each package in it, takes: a rule is an object with others in it. */
const RULE = 150;
const TERM = 25;

/** The world takes more than is looked at. */
export class TooEntangled extends Error {}

/** What may still be looked at for a world, and for what is tried besides: recommendations, and what would help. */
export class Effort {
  #left: number;

  constructor(left: number = MOST) {
    this.#left = left;
  }

  /** What is left; 0 at least. */
  get left(): number {
    return Math.max(this.#left, 0);
  }

  /** Counts what was looked at, whether or not that was left. */
  count(steps: number): void {
    this.#left -= steps;
  }

  /** Counts what is to be looked at. Throws `TooEntangled` where that is not left. */
  spend(steps: number): void {
    this.count(steps);
    if (this.#left < 0) throw new TooEntangled();
  }

  /** Begins anew, once something was found: what is reported that takes as much again at most. */
  renew(): void {
    this.#left = MOST;
  }

  /** Counts a rule that is made. Throws as `spend`. */
  makeRule(terms: number): void {
    this.spend(RULE + TERM * terms);
  }
}

/** An effort for what is known to be sound: what a cluster has. */
export function anyEffort(): Effort {
  return new Effort(Number.POSITIVE_INFINITY);
}
