import type { Clause } from './clause.ts';

/** One thing that was found out or decided about a package. */
export interface TrailEntry<Fact> {
  readonly about: number;
  /** The values that it leaves. */
  readonly keep: bigint;
  /** The values that there were before. */
  readonly before: bigint;
  /** How many decisions had been taken, this one among them. */
  readonly level: number;
  /** What it follows from; undefined for a decision. */
  readonly cause: Clause<Fact> | undefined;
}

/** All that is known so far, in the order in which it was found out. */
export class Trail<Fact> {
  readonly #all: readonly bigint[];
  readonly #values: bigint[];
  readonly #entries: TrailEntry<Fact>[] = [];
  /** Of each package, the positions of its entries. */
  readonly #own: number[][];
  #level = 0;

  /** `all` has the values that each package may have. */
  constructor(all: readonly bigint[]) {
    this.#all = all;
    this.#values = [...all];
    this.#own = all.map(() => []);
  }

  /** Returns the values that a package may still have. */
  values(about: number): bigint {
    return this.#values[about]!;
  }

  /** Decides that a package has one of some values. */
  decide(about: number, keep: bigint): void {
    this.#level += 1;
    this.#put(about, keep, undefined);
  }

  /** Notes what follows for a package from a clause. */
  derive(about: number, keep: bigint, cause: Clause<Fact>): void {
    this.#put(about, keep, cause);
  }

  #put(about: number, keep: bigint, cause: Clause<Fact> | undefined): void {
    const before = this.#values[about]!;
    this.#own[about]!.push(this.#entries.length);
    this.#entries.push({ about, keep, before, level: this.#level, cause });
    this.#values[about] = before & keep;
  }

  /** Takes back all that was found out after so many decisions. */
  backTo(level: number): void {
    for (let last = this.#entries.at(-1); last !== undefined && last.level > level; last = this.#entries.at(-1)) {
      this.#entries.pop();
      this.#own[last.about]!.pop();
      this.#values[last.about] = last.before;
    }
    this.#level = level;
  }

  /**
   * Finds the entry by which the last term of a clause came true, and after how many decisions it would have come true
   * by that entry together with what was there before. Every term has to be true.
   */
  satisfierOf(clause: Clause<Fact>): { readonly entry: TrailEntry<Fact>; readonly earlier: number } {
    let last = -1;
    let earlier = 0;
    for (const [about, values] of clause.terms) {
      const at = this.#since(about, values, this.#all[about]!);
      if (at > last) {
        if (last >= 0) earlier = Math.max(earlier, this.#entries[last]!.level);
        last = at;
      } else if (at >= 0) earlier = Math.max(earlier, this.#entries[at]!.level);
    }
    const entry = this.#entries[last]!;
    const alone = this.#since(entry.about, clause.terms.get(entry.about)!, this.#all[entry.about]! & entry.keep);
    return { entry, earlier: alone < 0 ? earlier : Math.max(earlier, this.#entries[alone]!.level) };
  }

  /**
   * The first position from which on a package, of some values, can only have those that are named; -1 where that was
   * always so.
   */
  #since(about: number, values: bigint, of: bigint): number {
    if ((of & ~values) === 0n) return -1;
    let left = of;
    for (const at of this.#own[about]!) {
      left &= this.#entries[at]!.keep;
      if ((left & ~values) === 0n) return at;
    }
    throw new Error('the term of a clause is not true');
  }
}
