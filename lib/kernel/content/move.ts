import { type Bytes, join } from '../../../formats/bytes.ts';
import { rereadable, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../events/index.ts';
import { type LentMemory, lendMemory } from './lent-memory.ts';
import type { ContentSource, ContentTarget, OpenOptions, ReadOptions } from './model.ts';

/** One thing to be moved, with where it comes from. */
export interface Transfer {
  readonly descriptor: Descriptor;
  readonly source: ContentSource;
}

/**
 * Moves one thing into `target`, checked on the way. `onBytes` is called with a negative count if bytes are read once
 * more.
 */
export async function move(
  { descriptor, source }: Transfer,
  target: ContentTarget,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => undefined,
): Promise<void> {
  let at = 0;
  let reuses = false;
  let lent: LentMemory | undefined;
  let failed: { error: unknown } | undefined;
  const fromSource = rereadable(
    (offset) => {
      // A connection that broke may still hold the memory that it was given, so each stream gets its own.
      lent = reuses ? lendMemory(descriptor.size) : undefined;
      return source.open(descriptor, { offset, into: lent?.next, signal });
    },
    descriptor,
    true,
  );
  const afterHead = (head: Bytes, offset: number): Bytes =>
    rereadable(() => join([head, source.open(descriptor, { offset, signal })]), descriptor, false)(offset);
  async function* read({ offset = 0, head, reuse = false }: ReadOptions = {}): Bytes {
    if (offset !== at) onBytes(offset - at);
    at = offset;
    reuses = reuse;
    failed = undefined;
    try {
      for await (const chunk of head ? afterHead(head, offset) : fromSource(offset)) {
        signal.throwIfAborted();
        yield chunk;
        at += chunk.length;
        onBytes(chunk.length);
      }
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  try {
    await target.push(descriptor, read, signal);
  } catch (error) {
    if (!failed) throw atSide(error, 'target', descriptor);
  }
  if (failed) throw sourceError(source, descriptor, failed.error);
  lent?.done();
  // A target that has all bytes may not ask for the end of the stream, where the last chunk would be counted.
  if (at !== descriptor.size) onBytes(descriptor.size - at);
}

/**
 * Opens content of a source, checked against its descriptor, in chunks that lie in the memory of `into`, where that is
 * given. Throws `content-mismatch` and what the source throws.
 */
export async function* openChecked(
  { descriptor, source }: Transfer,
  signal: AbortSignal,
  into?: OpenOptions['into'],
): Bytes {
  try {
    for await (const chunk of verified(source.open(descriptor, { into, signal }), descriptor)) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    throw sourceError(source, descriptor, error);
  }
}

/**
 * Makes the error for a failure to read from a source: `content-mismatch` where its content is refused; otherwise the
 * same error, with its side.
 */
export function sourceError(source: ContentSource, descriptor: Descriptor, error: unknown): unknown {
  if (!(error instanceof FormatError)) return atSide(error, 'source', descriptor);
  const name = source.nameOf?.(descriptor) ?? source.name;
  return new SolpackError('content-mismatch', descriptor.digest, `${error.message}, in ${name}`, {
    side: 'source',
    cause: error,
    hint: `the content of ${name} is damaged; fetch or build it again`,
  });
}

/**
 * Adds to an error of a registry at which end of a copy it came about, and of which content. Returns other errors as
 * they are.
 */
export function atSide(error: unknown, side: 'source' | 'target', { digest }: Descriptor): unknown {
  if (!(error instanceof SolpackError) || error.side !== undefined || !error.code.startsWith('registry-')) return error;
  const message = error.message.includes(digest) ? error.message : `${error.message}, for ${digest}`;
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new SolpackError(error.code, error.subject, message, { ...hint, side, cause: error.cause ?? error });
}
