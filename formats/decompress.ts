import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import type { Bytes } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';
import { sizeWords } from './size-words.ts';
import { wholeFrames } from './zstd-frames.ts';

type Engine = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>;

/** What to decompress, and how much may come out. */
export interface Decompression {
  /** RFC 1952, or RFC 8878 with a window of 64 MiB at most. */
  readonly algorithm: 'gzip' | 'zstd';
  /** The code of the errors that are thrown. */
  readonly code: FormatCode;
  /** How many bytes one compressed byte may become. It counts once more than `free` bytes came out. */
  readonly ratio: number;
  readonly free: number;
  /** How many bytes may still come out, of all streams that share this budget, and how many it began with. */
  readonly budget: { left: number };
  readonly total: number;
}

/** The largest window of zstd, as an exponent of 2. A stream can make its reader take that much memory. */
const WINDOW = 26;

/**
 * Decompresses a stream of gzip members or zstd frames, and checks their checksums and lengths. Throws `FormatError` of
 * the given code for damage, and if the output exceeds the bounds. Errors of `bytes` are handed on.
 */
export async function* decompress(bytes: Bytes, how: Decompression): Bytes {
  const frames = how.algorithm === 'zstd' ? wholeFrames(bytes, how.code) : undefined;
  const input = new Input(frames?.bytes ?? bytes);
  let written = 0;
  try {
    while (await input.more()) {
      const before = written;
      for await (const chunk of frame(input, how, (position) => frames?.isEnd(position) ?? false)) {
        written += chunk.length;
        requireBounds(written, chunk.length, input.taken, how);
        yield chunk;
      }
      frames?.requireSize(input.taken, written - before);
    }
    if (input.taken === 0) throw new FormatError(how.code, `not ${how.algorithm}: there are no bytes`);
  } finally {
    await input.close();
  }
}

/** The chunks of a stream. The unread end of the last one can be put back. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array | undefined;
  /** How many bytes were handed out. */
  taken = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Returns whether there are more bytes. */
  async more(): Promise<boolean> {
    while (!this.#held?.length) {
      const next = await this.#chunks.next();
      if (next.done) return false;
      this.#held = next.value;
    }
    return true;
  }

  take(): Uint8Array {
    const chunk = this.#held!;
    this.#held = undefined;
    this.taken += chunk.length;
    return chunk;
  }

  putBack(chunk: Uint8Array): void {
    this.#held = chunk;
    this.taken -= chunk.length;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.(undefined);
  }
}

/**
 * Decompresses with one engine, up to where that ends. Node.js ends it at the end of a zstd frame within a chunk, but
 * not at one where a chunk ends as well: `isEnd` knows those.
 */
async function* frame(input: Input, how: Decompression, isEnd: (position: number) => boolean): Bytes {
  const engine = engineOf(how.algorithm);
  let failure: { error: unknown } | undefined;
  let last: { chunk: Uint8Array; at: number } = { chunk: new Uint8Array(), at: 0 };
  const left = (): number => last.chunk.length - (engine.bytesWritten - last.at);
  const feed = async (): Promise<void> => {
    try {
      while (!engine.destroyed && left() === 0 && !isEnd(input.taken) && (await input.more())) {
        if (engine.destroyed) return;
        last = { chunk: input.take(), at: engine.bytesWritten };
        await consumed(engine, last.chunk);
      }
      engine.end();
    } catch (error) {
      failure = { error };
      engine.destroy(new Error('the source failed'));
    }
  };
  const feeding = feed();
  try {
    yield* engine as AsyncIterable<Uint8Array>;
    if (left() > 0) input.putBack(last.chunk.subarray(-left()));
  } catch (error) {
    if (failure) throw failure.error;
    throw new FormatError(how.code, `not ${how.algorithm}, or damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    engine.destroy();
    await feeding;
  }
}

function engineOf(algorithm: Decompression['algorithm']): Engine {
  if (algorithm === 'gzip') return createGunzip({ chunkSize: 64 * 1024 });
  return createZstdDecompress({ chunkSize: 64 * 1024, params: { [constants.ZSTD_d_windowLogMax]: WINDOW } });
}

/** Resolves once `engine` has used up `chunk`, has come to its end, or is closed. */
function consumed(engine: Engine, chunk: Uint8Array): Promise<void> {
  return new Promise((settle) => {
    const done = (): void => {
      engine.off('end', done);
      engine.off('close', done);
      settle();
    };
    engine.on('end', done);
    engine.on('close', done);
    engine.write(chunk, done);
  });
}

function requireBounds(written: number, more: number, read: number, how: Decompression): void {
  how.budget.left -= more;
  if (how.budget.left < 0) throw new FormatError(how.code, `decompresses to more than ${sizeWords(how.total)}`);
  if (written > how.free && written > read * how.ratio) {
    throw new FormatError(how.code, `decompresses to more than ${how.ratio} times its size`);
  }
}
