import { FormatError } from './error.ts';

/** A pull-based stream of bytes. Chunks are 64 KiB or more where the source allows it. */
export type Bytes = AsyncIterable<Uint8Array>;

/** Random access to bytes that lie somewhere: in a file, in memory, behind HTTP ranges. */
export interface ReadAt {
  /** Length of the whole, in bytes. */
  readonly size: number;
  /**
   * Reads exactly `length` bytes at `offset`; throws `FormatError` `truncated` where they are not there. They may be handed
   * back in the memory `into`, which has to have room for them.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** How many bytes a stream hands on at once, where nothing else decides it. */
export const CHUNK: number = 256 * 1024;

/** Bytes in memory, with random access. */
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

/** A window of `length` bytes at `offset`, with random access of its own. */
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
export async function* slice(source: ReadAt, offset: number, length: number, chunk: number = CHUNK): Bytes {
  requireRange(source.size, offset, length);
  const end = offset + length;
  for (let at = offset; at < end; at += chunk) {
    yield await source.read(at, Math.min(chunk, end - at));
  }
}

/**
 * Gives memory of `size` bytes at each call, the same after every `count`: for chunks of a stream whose reader holds fewer
 * of them. It stays in the caches of the processor, and nothing has to be collected.
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

/** The same as `slice`, in chunks as large as the memory that `next` gives for each. */
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

/** Hands on `bytes` while the next chunk is being read already, so that reading and what is done with it overlap. */
export async function* ahead(bytes: Bytes): Bytes {
  const chunks = bytes[Symbol.asyncIterator]();
  const pull = (): Promise<IteratorResult<Uint8Array>> => {
    const next = chunks.next();
    // It may fail before it is waited for; who waits for it is told.
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

/** Streams pieces that lie apart, one after the other. */
export async function* join(parts: Iterable<Bytes>): Bytes {
  for (const part of parts) yield* part;
}

/** Bytes that are already in memory, as a stream. */
export async function* once(bytes: Uint8Array): Bytes {
  if (bytes.length > 0) yield bytes;
}

/** Gathers a stream that must not be longer than `limit` bytes, in memory of its own. */
export async function collect(bytes: Bytes, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw new FormatError('size-mismatch', `more than ${limit} bytes`);
    chunks.push(Buffer.from(chunk));
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/** The UTF-8 text of `bytes`; a leading byte order mark is dropped, invalid UTF-8 is refused with `code`. */
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

/** The UTF-8 bytes of `value`. */
export function utf8(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Orders well-formed strings by their UTF-8 bytes, whatever the locale; makes no bytes for it. */
export function byteOrder(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at === end ? a.length - b.length : rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** `items` in the order that `byteOrder` gives their names. */
export function inByteOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  // Without surrogates it is the order of UTF-16 units, by which strings are compared much faster.
  const order = items.some((item) => /[\ud800-\udfff]/.test(nameOf(item))) ? byteOrder : unitOrder;
  return [...items].sort((one, other) => order(nameOf(one), nameOf(other)));
}

/** Orders strings by their UTF-16 units, whatever the locale: where there are no surrogates, as `byteOrder` does. */
export function unitOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** UTF-16 units have the order of UTF-8 bytes but for surrogates, whose characters come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
