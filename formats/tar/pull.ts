import type { Bytes } from '../bytes.ts';
import { type FormatCode, FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';
import { BLOCK } from './block.ts';

/**
 * Takes blocks and files of a tar archive out of a stream whose chunks end anywhere. Every method throws `FormatError`
 * of the given code where the stream ends too early.
 */
export class Pull {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();
  /** Bytes of the current body, and of the padding behind it, that are still to come. */
  #left = 0;
  #padding = 0;

  readonly #code: FormatCode;

  constructor(bytes: Bytes, code: FormatCode) {
    this.#chunks = bytes[Symbol.asyncIterator]();
    this.#code = code;
  }

  /** Up to `limit` bytes, at least one; undefined at the end of the stream. */
  async #some(limit: number): Promise<Uint8Array | undefined> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      this.#held = next.value;
    }
    const taken = this.#held.subarray(0, limit);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** One block; undefined where the stream ends before it. */
  async block(): Promise<Uint8Array | undefined> {
    // Mostly it lies within a chunk, and needs no copy.
    if (this.#held.length >= BLOCK) return this.#some(BLOCK);
    const block = new Uint8Array(BLOCK);
    for (let filled = 0; filled < BLOCK; ) {
      const part = await this.#some(BLOCK - filled);
      if (!part && filled === 0) return undefined;
      if (!part) throw new FormatError(this.#code, 'ends in the middle of a tar header');
      block.set(part, filled);
      filled += part.length;
    }
    return block;
  }

  /** The next `count` bytes, or all that are left, which are still to be read. */
  async ahead(count: number): Promise<Uint8Array> {
    while (this.#held.length < count) {
      const next = await this.#chunks.next();
      if (next.done) break;
      this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
    }
    return this.#held.subarray(0, count);
  }

  /** The next `size` bytes. They count as pending from now on, also if they are never asked for. */
  body(size: number): Bytes {
    this.#left = size;
    this.#padding = -size & (BLOCK - 1);
    return this.#pending();
  }

  async *#pending(): Bytes {
    while (this.#left > 0) {
      const part = await this.#some(this.#left);
      if (!part) throw new FormatError(this.#code, 'ends in the middle of a file');
      this.#left -= part.length;
      yield part;
    }
  }

  /** Goes to the end of the current body and its padding. */
  async skip(): Promise<void> {
    for (let left = this.#left + this.#padding; left > 0; ) {
      const part = await this.#some(left);
      if (!part) throw new FormatError(this.#code, 'ends in the middle of a file');
      left -= part.length;
    }
    this.#left = 0;
    this.#padding = 0;
  }

  /** The body of an extended header, which has at most `limit` bytes, to its end. */
  async extension(size: number, limit: number): Promise<Uint8Array> {
    if (size > limit) throw new FormatError(this.#code, `an extended tar header of ${sizeWords(size)}`);
    const parts: Uint8Array[] = [];
    for await (const part of this.body(size)) parts.push(part.slice());
    await this.skip();
    return Buffer.concat(parts);
  }

  /** Reads what follows the end of the archive, which can only be zeros, so that the checksum gets checked. */
  async zeros(): Promise<void> {
    for (;;) {
      const part = await this.#some(BLOCK * 128);
      if (!part) return;
      if (part.some((byte) => byte !== 0))
        throw new FormatError(this.#code, 'there is data after the end of the tar archive');
    }
  }

  /** Reads what is left, whatever it is. */
  async rest(): Promise<void> {
    for (let more = true; more; ) more = (await this.#some(Number.POSITIVE_INFINITY)) !== undefined;
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.(undefined);
  }
}
