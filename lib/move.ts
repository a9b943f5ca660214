import { type Bytes, join } from '../formats/bytes.ts';
import { rereadable, verified } from '../formats/digest.ts';
import { FormatError } from '../formats/error.ts';
import type { Descriptor } from '../formats/oci/descriptor.ts';
import { SolpackError } from './errors.ts';
import { type LentMemory, lendMemory } from './lent-memory.ts';
import type { Begun, ContentSource, ContentTarget } from './model.ts';

/** One thing to be moved, with where it comes from. */
export interface Transfer {
  readonly descriptor: Descriptor;
  readonly source: ContentSource;
}

/**
 * Moves one thing into `target`, checked on the way. Where an earlier run began it and the source can go on from there,
 * only the rest is fetched; should both parts not be what the digest names, it is moved once more as a whole.
 */
export async function move(
  { descriptor, source }: Transfer,
  target: ContentTarget,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => undefined,
): Promise<void> {
  const begun = source.openFrom ? target.begun?.(descriptor) : undefined;
  if (begun) {
    let done = 0;
    const count = (more: number): void => {
      done += more;
      onBytes(more);
    };
    try {
      return await stream({ descriptor, source }, target, signal, count, begun);
    } catch (error) {
      if (!isMismatch(error)) throw error;
      onBytes(-done);
    }
  }
  await stream({ descriptor, source }, target, signal, onBytes);
}

async function stream(
  { descriptor, source }: Transfer,
  target: ContentTarget,
  signal: AbortSignal,
  onBytes: (count: number) => void,
  begun?: Begun,
): Promise<void> {
  let lent: LentMemory | undefined;
  const open = (offset: number): Bytes => {
    if (begun) return join([begun.bytes, source.openFrom!(descriptor, begun.size, signal)]);
    if (source.openFleeting && target.isPrompt?.(descriptor)) {
      // Each its own: a connection that broke may not have let go of what it was given.
      lent = lendMemory(descriptor.size);
      return source.openFleeting(descriptor, offset, lent.next);
    }
    return offset > 0 ? source.openFrom!(descriptor, offset, signal) : source.open(descriptor, signal);
  };
  const content = rereadable(open, descriptor, !begun && source.openFrom !== undefined);
  let failed: { error: unknown } | undefined;
  let at = 0;
  async function* read(offset: number): Bytes {
    if (offset !== at) onBytes(offset - at);
    at = offset;
    try {
      for await (const chunk of content(offset)) {
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
    // What an earlier run left is there to be read once.
    await target.push(descriptor, read(0), signal, begun ? undefined : read);
  } catch (error) {
    if (!failed) throw atSide(error, 'target', descriptor);
  }
  if (failed) throw sourceError(source, descriptor, failed.error);
  lent?.done();
  // Who had all of it need not have asked whether there is more.
  if (at !== descriptor.size) onBytes(descriptor.size - at);
}

/** Opens content of a source, checked against its descriptor. Throws `content-mismatch` and what the source throws. */
export async function* openChecked({ descriptor, source }: Transfer, signal: AbortSignal): Bytes {
  try {
    for await (const chunk of verified(source.open(descriptor, signal), descriptor)) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    throw sourceError(source, descriptor, error);
  }
}

/**
 * What a failure to read from a source looks like to a user: `content-mismatch` where its content is refused; else the
 * same error, with its side.
 */
export function sourceError(source: ContentSource, descriptor: Descriptor, error: unknown): unknown {
  if (!(error instanceof FormatError)) return atSide(error, 'source', descriptor);
  return new SolpackError('content-mismatch', descriptor.digest, `${error.message}, in ${source.name}`, {
    side: 'source',
    cause: error,
    hint: `the content of ${source.name} is damaged; fetch or build it again`,
  });
}

/** An error of a registry as one that also tells at which end of a copy it came about, and of which content; others as they are. */
export function atSide(error: unknown, side: 'source' | 'target', { digest }: Descriptor): unknown {
  if (!(error instanceof SolpackError) || error.side !== undefined || !error.code.startsWith('registry-')) return error;
  const message = error.message.includes(digest) ? error.message : `${error.message}, for ${digest}`;
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new SolpackError(error.code, error.subject, message, { ...hint, side, cause: error.cause ?? error });
}

function isMismatch(error: unknown): boolean {
  return error instanceof SolpackError && error.code === 'content-mismatch';
}
