import { type Bytes, slice } from '../../../formats/bytes.ts';
import { type Digest, verified } from '../../../formats/digest.ts';
import type { Held, ServedContent } from './content.ts';
import type { Range } from './range.ts';

/** Reads content in a way that no wrong byte gets out unnoticed. */
export interface Integrity {
  /** The whole of it; fails before its last chunk where a byte is wrong. */
  whole(held: Held): Bytes;
  /** A part of it, after the whole has been checked once. */
  part(held: Held, range: Range): Bytes;
}

/** How much is read at once, in bytes: each of many slow clients holds a few of these. */
const PIECE = 128 * 1024;

/** Makes a reader that remembers what it has checked; `signal` ends checks that are under way. */
export function createIntegrity(signal: AbortSignal): Integrity {
  const checks = new Map<ServedContent, Map<Digest, Promise<void>>>();

  async function* whole({ descriptor, archive }: Held): Bytes {
    const source = await archive.read(descriptor);
    for await (const chunk of verified(slice(source, 0, source.size, PIECE), descriptor)) {
      signal.throwIfAborted();
      yield chunk;
    }
  }

  const check = (held: Held): Promise<void> => {
    const known = checks.get(held.archive) ?? new Map<Digest, Promise<void>>();
    checks.set(held.archive, known);
    const { digest } = held.descriptor;
    const run = async (): Promise<void> => {
      for await (const _ of whole(held));
    };
    const outcome = known.get(digest) ?? run();
    known.set(digest, outcome);
    // A failure may pass, as when a network disk comes back; it is looked at anew next time.
    outcome.catch(() => known.delete(digest));
    return outcome;
  };

  return {
    whole,
    part: async function* (held, { start, end }) {
      await check(held);
      yield* slice(await held.archive.read(held.descriptor), start, end - start + 1, PIECE);
    },
  };
}
