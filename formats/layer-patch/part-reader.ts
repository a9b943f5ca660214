import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** Reads a part of a patch piece by piece. Throws `FormatError` `patch-invalid` where it ends too early. */
export class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Returns whether nothing is left. */
  async atEnd(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done) return true;
      this.#chunk = next.value;
      this.#at = 0;
    }
    return false;
  }

  async byte(): Promise<number> {
    if (this.#at === this.#chunk.length && (await this.atEnd())) throw cut();
    const byte = this.#chunk[this.#at]!;
    this.#at += 1;
    return byte;
  }

  /** Reads a number in groups of 7 bits, the lowest first (LEB128). */
  async number(): Promise<number> {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.#at < this.#chunk.length ? this.#chunk[this.#at++]! : await this.byte();
      value += (byte & 127) * factor;
      if (byte < 128 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    throw new FormatError('patch-invalid', 'the patch of a layer has a number that is too large');
  }

  /** Fills `into` with the next bytes. */
  async fill(into: Uint8Array): Promise<void> {
    for (let filled = 0; filled < into.length; ) {
      if (await this.atEnd()) throw cut();
      const count = Math.min(into.length - filled, this.#chunk.length - this.#at);
      into.set(this.#chunk.subarray(this.#at, this.#at + count), filled);
      this.#at += count;
      filled += count;
    }
  }

  /** Adds the next bytes to those of `into`, modulo 256. */
  async add(into: Uint8Array): Promise<void> {
    for (let filled = 0; filled < into.length; ) {
      if (await this.atEnd()) throw cut();
      const count = Math.min(into.length - filled, this.#chunk.length - this.#at);
      this.addNow(into.subarray(filled, filled + count));
      filled += count;
    }
  }

  /** The same where they are in memory already; returns whether they are. */
  addNow(into: Uint8Array): boolean {
    const [chunk, from] = [this.#chunk, this.#at];
    if (into.length > chunk.length - from) return false;
    for (let at = 0; at < into.length; at += 1) into[at] = into[at]! + chunk[from + at]!;
    this.#at += into.length;
    return true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function cut(): FormatError {
  return new FormatError('patch-invalid', 'the patch of a layer ends too early');
}
