import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** Bytes that are read at once. Instructions mostly read close to each other. */
const WINDOW = 1024 * 1024;

/** Reads small pieces of a source that lie close to each other. Throws `FormatError` `patch-invalid` beyond its end. */
export class SourceReader {
  readonly #source: ReadAt;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(source: ReadAt) {
    this.#source = source;
  }

  /** Fills `into` with the bytes at `offset` where they are in memory; returns whether they are. */
  fillNow(into: Uint8Array, offset: number): boolean {
    const from = offset - this.#start;
    if (from < 0 || from + into.length > this.#bytes.length) return false;
    into.set(this.#bytes.subarray(from, from + into.length));
    return true;
  }

  async fill(into: Uint8Array, offset: number): Promise<void> {
    const { size } = this.#source;
    if (offset + into.length > size) {
      throw new FormatError('patch-invalid', 'the patch of a layer reads behind the end of a source');
    }
    // Some of what lies before it is read too, because the next instruction may read a little further in front.
    this.#start = Math.max(0, Math.min(offset - WINDOW / 4, size - WINDOW));
    const end = Math.min(size, Math.max(this.#start + WINDOW, offset + into.length));
    this.#bytes = await this.#source.read(this.#start, end - this.#start);
    this.fillNow(into, offset);
  }
}
