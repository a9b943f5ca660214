import { FormatError } from './error.ts';
import { sizeWords } from './size-words.ts';

/** A stream of bytes that its reader pulls. Chunks have 64 KiB or more if the source allows it. */
export type Bytes = AsyncIterable<Uint8Array>;

/** Random access to bytes, wherever they lie: in a file, in memory, behind HTTP ranges. */
export interface ReadAt {
  /** Length of the whole, in bytes. */
  readonly size: number;
  /**
   * Reads exactly `length` bytes at `offset`. May put them into the memory `into`, which needs room for them, and
   * return that. Throws `FormatError` `truncated` if the data ends before.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** The usual size of a chunk, in bytes. */
export const STREAM_CHUNK: number = 256 * 1024;

/** Gives random access to bytes in memory. */
export function memory(bytes: Uint8Array): ReadAt {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      requireRange(bytes.length, offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** Throws `FormatError` `truncated` unless `length` bytes at `offset` lie within `size`. */
export function requireRange(size: number, offset: number, length: number): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw new FormatError('truncated', `${length} bytes expected at offset ${offset}, but the data ends at ${size}`, {
      offset,
    });
  }
}

/** Gives random access to a window of `source`: `length` bytes at `offset`, counted from 0. */
export function window(source: ReadAt, offset: number, length: number): ReadAt {
  requireRange(source.size, offset, length);
  return {
    size: length,
    read: async (at, count, into) => {
      requireRange(length, at, count);
      return source.read(offset + at, count, into);
    },
  };
}

/** Streams `length` bytes at `offset`. */
export async function* slice(source: ReadAt, offset: number, length: number, chunk: number = STREAM_CHUNK): Bytes {
  requireRange(source.size, offset, length);
  const end = offset + length;
  for (let at = offset; at < end; at += chunk) {
    yield await source.read(at, Math.min(chunk, end - at));
  }
}

/**
 * Makes a function that hands out `count` pieces of memory of `size` bytes in turn, again and again. It is for chunks
 * of a stream whose reader holds fewer than `count` of them at a time. The memory stays in the processor's caches, and
 * there is nothing to collect.
 */
export function ring(size: number, count: number): () => Uint8Array {
  const memories: Uint8Array[] = [];
  let next = 0;
  return () => {
    const memory = memories[next] ?? new Uint8Array(size);
    memories[next] = memory;
    next = (next + 1) % count;
    return memory;
  };
}

/** Streams as `slice` does, in chunks that lie in the memory that `next` hands out and are as large as that. */
export async function* fleeting(source: ReadAt, offset: number, length: number, next: () => Uint8Array): Bytes {
  requireRange(source.size, offset, length);
  const end = offset + length;
  for (let at = offset; at < end; ) {
    const memory = next();
    const count = Math.min(memory.length, end - at);
    yield await source.read(at, count, memory);
    at += count;
  }
}

/** Hands on `bytes` and reads the next chunk meanwhile, so that reading overlaps with the work on what was read. */
export async function* ahead(bytes: Bytes): Bytes {
  const chunks = bytes[Symbol.asyncIterator]();
  const pull = (): Promise<IteratorResult<Uint8Array>> => {
    const next = chunks.next();
    // It may fail before somebody waits for it. Whoever waits later still gets the error.
    next.catch(() => undefined);
    return next;
  };
  let next = pull();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = pull();
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await chunks.return?.();
  }
}

/** Streams several streams, one after the other. */
export async function* join(parts: Iterable<Bytes>): Bytes {
  for (const part of parts) yield* part;
}

/** Hands on what follows the first `count` bytes of a stream. */
export async function* skip(bytes: Bytes, count: number): Bytes {
  let left = count;
  for await (const chunk of bytes) {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/** Streams bytes that are in memory, as one chunk. */
export async function* once(bytes: Uint8Array): Bytes {
  if (bytes.length > 0) yield bytes;
}

/** Gathers a stream in memory of its own. Throws `FormatError` `size-mismatch` if it has more than `limit` bytes. */
export async function collect(bytes: Bytes, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw new FormatError('size-mismatch', `more than ${sizeWords(limit)}`);
    chunks.push(Buffer.from(chunk));
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/** Decodes UTF-8 and drops a leading byte order mark. Throws `FormatError` of `code` for invalid UTF-8. */
export function text(
  bytes: Uint8Array,
  code: 'json-invalid' | 'yaml-invalid' | 'toml-invalid' | 'policy-invalid' | 'mend-invalid',
): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FormatError(code, 'not valid UTF-8', { cause });
  }
}

/** Encodes `value` as UTF-8. */
export function utf8(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Compares well-formed strings by their UTF-8 bytes, whatever the locale, without encoding them. */
export function byteOrder(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at === end ? a.length - b.length : rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Returns `items` sorted by name, in the order of `byteOrder`. */
export function inByteOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  // Without surrogates, the order of UTF-16 units is the same, and comparing by it is much faster.
  const order = items.some((item) => /[\ud800-\udfff]/.test(nameOf(item))) ? byteOrder : unitOrder;
  return [...items].sort((one, other) => order(nameOf(one), nameOf(other)));
}

/**
 * Compares strings by their UTF-16 units, whatever the locale. For strings without surrogates, that is what `byteOrder`
 * does.
 */
export function unitOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ranks a UTF-16 unit. The order is that of UTF-8 bytes except surrogates, whose characters come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
