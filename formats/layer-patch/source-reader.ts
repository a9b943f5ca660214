import type { ReadAt } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** Bytes that are read at once. Instructions mostly read close to each other. */
const WINDOW = 1024 * 1024;

/** How many sources have such bytes in memory at a time. */
const WINDOWS = 16;

/** The memory that readers of sources share, so that many sources take no more of it than a few. */
export class SourceWindows {
  /** The one that was used longest ago comes first. */
  readonly #used = new Map<SourceReader, Uint8Array>();

  /** Returns memory for a reader, which others lose that have not read for the longest time. */
  lend(reader: SourceReader): Uint8Array {
    let memory = this.#used.get(reader);
    if (memory === undefined && this.#used.size === WINDOWS) {
      const [oldest] = this.#used.keys();
      memory = this.#used.get(oldest!);
      this.#used.delete(oldest!);
      oldest!.forget();
    }
    memory ??= Buffer.allocUnsafe(WINDOW);
    this.#used.delete(reader);
    this.#used.set(reader, memory);
    return memory;
  }
}

/** Reads small pieces of a source that lie close to each other. Throws `FormatError` `patch-invalid` beyond its end. */
export class SourceReader {
  readonly #source: ReadAt;
  readonly #windows: SourceWindows;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(source: ReadAt, windows: SourceWindows) {
    this.#source = source;
    this.#windows = windows;
  }

  /** Fills `into` with the bytes at `offset` where they are in memory; returns whether they are. */
  fillNow(into: Uint8Array, offset: number): boolean {
    const from = offset - this.#start;
    if (from < 0 || from + into.length > this.#bytes.length) return false;
    into.set(this.#bytes.subarray(from, from + into.length));
    return true;
  }

  /** Fills `into`, which has at most a quarter of a MiB, with the bytes at `offset`. */
  async fill(into: Uint8Array, offset: number): Promise<void> {
    const { size } = this.#source;
    if (offset + into.length > size) {
      throw new FormatError('patch-invalid', 'the patch of a layer reads behind the end of a source');
    }
    const memory = this.#windows.lend(this);
    this.forget();
    // Some of what lies before it is read too, because the next instruction may read a little further in front.
    this.#start = Math.max(0, Math.min(offset - WINDOW / 4, size - WINDOW));
    this.#bytes = await this.#source.read(this.#start, Math.min(WINDOW, size - this.#start), memory);
    this.fillNow(into, offset);
  }

  /** Forgets what is in memory. */
  forget(): void {
    this.#bytes = new Uint8Array();
  }
}
