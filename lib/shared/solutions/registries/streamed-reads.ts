import { type ReadAt, requireRange } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { sizePair, sizeWords } from '../../../../formats/size-words.ts';
import type { ContentSource } from '../../../kernel/content/index.ts';

/** Random access to the contents of a source that gives streams. */
export interface StreamedReads extends AsyncDisposable {
  /**
   * Gives random access to some content, unchecked. Reading throws `FormatError` `truncated`, `size-mismatch`, and what
   * the source throws.
   */
  of(descriptor: Descriptor): ReadAt;
}

/** A stream that stands still where a read ended. */
interface Stream {
  readonly digest: Digest;
  readonly chunks: AsyncIterator<Uint8Array>;
  /** How far it was read. */
  at: number;
  /** What came with the last chunk and was not read yet. */
  rest: Uint8Array;
  /** Closes it where nobody reads on. */
  timer?: NodeJS.Timeout;
}

/** Most streams that stand still: each holds a connection. */
const KEPT = 16;

/** How long a stream stands still until it is closed, in milliseconds. */
const IDLE = 10_000;

/**
 * Reads contents of `source` by streams: a read that begins where another one ended continues with its stream, and
 * every other one opens a stream there. So reading in pieces from beginning to end takes one request, and no memory but
 * that of a chunk. Bytes that a source has beyond the size of the content are an error.
 */
export function streamedReads(source: ContentSource, signal: AbortSignal): StreamedReads {
  const waiting: Stream[] = [];
  let closed = false;

  const take = (digest: Digest, offset: number): Stream | undefined => {
    const found = waiting.findIndex((stream) => stream.digest === digest && stream.at === offset);
    const [stream] = found < 0 ? [] : waiting.splice(found, 1);
    clearTimeout(stream?.timer);
    return stream;
  };
  const begin = (descriptor: Descriptor, offset: number): Stream => {
    const chunks = source.open(descriptor, { offset, signal })[Symbol.asyncIterator]();
    return { digest: descriptor.digest, chunks, at: offset, rest: new Uint8Array() };
  };
  const keep = async (stream: Stream): Promise<void> => {
    if (closed) return end(stream);
    waiting.push(stream);
    stream.timer = setTimeout(() => void drop(stream), IDLE).unref();
    if (waiting.length > KEPT) await drop(waiting[0]!);
  };
  const drop = async (stream: Stream): Promise<void> => {
    const at = waiting.indexOf(stream);
    if (at < 0) return;
    clearTimeout(stream.timer);
    waiting.splice(at, 1);
    await end(stream);
  };
  const read = async (descriptor: Descriptor, offset: number, bytes: Uint8Array): Promise<void> => {
    const stream = take(descriptor.digest, offset) ?? begin(descriptor, offset);
    try {
      await fill(stream, descriptor, bytes);
      if (stream.at < descriptor.size) return await keep(stream);
      await requireEnd(stream, descriptor);
    } catch (error) {
      await end(stream);
      throw error;
    }
  };
  return {
    of: (descriptor) => ({
      size: descriptor.size,
      read: async (offset, length, into) => {
        requireRange(descriptor.size, offset, length);
        const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
        if (length > 0) await read(descriptor, offset, bytes);
        return bytes;
      },
    }),
    [Symbol.asyncDispose]: async () => {
      closed = true;
      for (const stream of [...waiting]) await drop(stream);
    },
  };
}

async function fill(stream: Stream, { digest, size }: Descriptor, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    if (stream.rest.length === 0) {
      const next = await stream.chunks.next();
      if (next.done) {
        const [there, whole] = sizePair(stream.at, size);
        throw new FormatError('truncated', `${digest} ends after ${there} of ${whole}`);
      }
      stream.rest = next.value;
    }
    const part = stream.rest.subarray(0, bytes.length - done);
    bytes.set(part, done);
    stream.rest = stream.rest.subarray(part.length);
    stream.at += part.length;
    done += part.length;
  }
}

/** Reads the end of a stream too, so that its connection can be used again. */
async function requireEnd({ chunks, rest }: Stream, { digest, size }: Descriptor): Promise<void> {
  if (rest.length === 0 && (await chunks.next()).done) return;
  throw new FormatError('size-mismatch', `${digest} should have ${sizeWords(size)}, but has more`);
}

async function end({ chunks }: Stream): Promise<void> {
  // What a stream that nobody reads any longer says at its end is of no use.
  await chunks.return?.().catch(() => undefined);
}
