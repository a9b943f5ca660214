import { type AnswerHead, parseHead } from './answer-head.ts';

/** Most bytes of a head, as in Node.js. */
const HEAD = 16 * 1024;

/** Memory for heads, and for what follows them at once. */
const FIRST = 64 * 1024;

/** Gives memory for the chunks of a body, by its head. */
export type MemoryFor = (head: AnswerHead) => () => Uint8Array;

/** Takes in the bytes of answers, one after another: knows where the next ones belong before they arrive. */
export class Intake {
  /** What the next bytes are of; `nothing` where none should come. */
  expects: 'nothing' | 'head' | 'body' = 'nothing';
  /**
   * The head of the answer, once it is there; `other` where it is of another form, and then `unread` is all that came.
   */
  head: AnswerHead | 'other' | undefined;
  unread: Uint8Array = new Uint8Array();
  /** Chunks of the body that are complete, and nobody has taken yet. */
  ready: Uint8Array[] = [];
  readonly #first: Uint8Array = new Uint8Array(FIRST);
  #memory = this.#first;
  #filled = 0;
  #left = 0;
  #next = (): Uint8Array => this.#first;
  #memoryFor: MemoryFor = () => this.#next;

  /** Expects the next answer. */
  begin(memoryFor: MemoryFor): void {
    this.expects = 'head';
    this.head = undefined;
    this.#memoryFor = memoryFor;
  }

  /** Returns where the next bytes belong, as many as there may be. */
  space(): Uint8Array {
    const end = this.expects === 'body' ? this.#filled + this.#left : this.#memory.length;
    return this.#memory.subarray(this.#filled, Math.min(this.#memory.length, end));
  }

  /** Notes that `count` bytes have arrived in that space. */
  arrived(count: number): void {
    if (this.expects === 'head') this.#takeHead(count);
    else if (this.expects === 'body') this.#takeBody(count);
  }

  /** Makes ready what there is of a chunk that will not be completed. */
  giveUp(): void {
    if (this.expects === 'body' && this.#filled > 0) this.#complete();
  }

  #takeHead(count: number): void {
    this.#filled += count;
    const all = this.#first.subarray(0, this.#filled);
    const head = parseHead(all) ?? (all.length < HEAD ? undefined : 'other');
    if (head === undefined) return;
    this.#filled = 0;
    this.expects = 'nothing';
    if (head === 'other' || all.length - head.size > head.length) {
      this.head = 'other';
      this.unread = all.slice();
      return;
    }
    this.head = head;
    this.#left = head.length;
    if (head.length === 0) return;
    this.expects = 'body';
    this.#next = this.#memoryFor(head);
    this.#memory = this.#next();
    for (let at = head.size; at < all.length; ) {
      const piece = all.subarray(at, at + this.space().length);
      this.space().set(piece);
      at += piece.length;
      this.#takeBody(piece.length);
    }
  }

  #takeBody(count: number): void {
    this.#left -= count;
    this.#filled += count;
    if (this.#filled < this.#memory.length && this.#left > 0) return;
    this.#complete();
    if (this.#left === 0) {
      this.expects = 'nothing';
      this.#memory = this.#first;
    } else {
      // What TLS has decrypted already comes all the same, before anybody has taken what is ready.
      this.#memory = this.ready.length > 1 ? new Uint8Array(FIRST) : this.#next();
    }
  }

  #complete(): void {
    this.ready.push(this.#memory.subarray(0, this.#filled));
    this.#filled = 0;
  }
}
