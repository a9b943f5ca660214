/**
 * Bytes of one piece, and of the first piece at most. The first one starts small and grows: most directories are small.
 */
const PIECE = 256 * 1024;
const FIRST = 4096;

/**
 * A store of short byte strings, such as names. They lie one after the other, and none crosses the end of a piece. Each
 * is known by its number, which is the position of its first byte.
 */
export class BytePool {
  #first = Buffer.allocUnsafe(256);
  readonly #pieces: Buffer[] = [];
  #end = 0;

  /** How many bytes it holds, gaps included. */
  get size(): number {
    return this.#end;
  }

  /** Adds a string of at most 4096 bytes, and returns its number. */
  add(bytes: Uint8Array): number {
    const room = FIRST + this.#pieces.length * PIECE;
    if (this.#end + bytes.length > room) {
      this.#end = room;
      this.#pieces.push(Buffer.allocUnsafeSlow(PIECE));
    }
    const start = this.#end;
    if (start < FIRST && start + bytes.length > this.#first.length) this.#growFirst(start + bytes.length);
    this.#piece(start).set(bytes, place(start));
    this.#end += bytes.length;
    return start;
  }

  /** Returns the string of number `start`. Its bytes stay valid as long as the pool does. */
  run(start: number, length: number): Buffer {
    return this.#piece(start).subarray(place(start), place(start) + length);
  }

  /** Orders two strings by their bytes, as `Buffer.compare` does. */
  compare(a: number, aLength: number, b: number, bLength: number): number {
    const [at, other] = [place(a), place(b)];
    return this.#piece(a).compare(this.#piece(b), other, other + bLength, at, at + aLength);
  }

  #growFirst(least: number): void {
    const larger = Buffer.allocUnsafe(Math.min(FIRST, Math.max(least, this.#first.length * 2)));
    larger.set(this.#first);
    this.#first = larger;
  }

  #piece(start: number): Buffer {
    return start < FIRST ? this.#first : this.#pieces[Math.floor((start - FIRST) / PIECE)]!;
  }
}

/** Returns where in its piece a string begins. */
function place(start: number): number {
  return start < FIRST ? start : (start - FIRST) % PIECE;
}
