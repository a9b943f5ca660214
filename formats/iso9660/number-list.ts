/**
 * Numbers in one piece. A piece is added when it is needed, so that growing never copies. Most lists are short and need
 * none.
 */
const PIECE = 64 * 1024;
const FIRST = 64;

/** A growing list of numbers below 2^32. Each takes four bytes. */
export class NumberList {
  readonly #first: number[] = [];
  readonly #pieces: Uint32Array[] = [];
  /** How many numbers there are. */
  length = 0;

  /** Adds `value` at the end. */
  push(value: number): void {
    const index = this.length;
    this.length += 1;
    if (index < FIRST) {
      this.#first.push(value);
      return;
    }
    if ((index - FIRST) % PIECE === 0) this.#pieces.push(new Uint32Array(PIECE));
    this.#pieces.at(-1)![(index - FIRST) % PIECE] = value;
  }

  /** Returns the number at `index`, which must exist. */
  at(index: number): number {
    if (index < FIRST) return this.#first[index]!;
    return this.#pieces[Math.floor((index - FIRST) / PIECE)]![(index - FIRST) % PIECE]!;
  }
}
