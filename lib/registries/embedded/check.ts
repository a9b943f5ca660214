import { createHash } from 'node:crypto';
import { algorithmOf, hexOf } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Held, OpenContent } from './content.ts';

/** How much is read and hashed at once, in bytes: each of many slow clients holds a few of these. */
export const PIECE: number = 128 * 1024;

/** Content that is being hashed, from its beginning on, as far as anybody needs it. */
export interface Check {
  /**
   * Hashes up to `end`, if that was not done before. At the end of the content the digest is compared: who has got beyond
   * it has the right bytes. Throws `FormatError` `size-mismatch` or `digest-mismatch`.
   */
  reach(end: number, source: OpenContent): Promise<void>;
  /** Whether all of it was found right. */
  readonly done: boolean;
}

/** Begins to check content. Any number of readers drive it together, the fastest of them ahead, and each byte is hashed once. */
export function beginCheck({ descriptor: { digest, size } }: Held): Check {
  const hash = createHash(algorithmOf(digest));
  let position = 0;
  let done = false;
  let turn: Promise<void> = Promise.resolve();

  const advance = async (end: number, source: OpenContent): Promise<void> => {
    if (source.size !== size) {
      throw new FormatError('size-mismatch', `${digest} should have ${size} bytes, but has ${source.size}`);
    }
    while (position < end) {
      const chunk = await source.read(position, Math.min(PIECE, size - position));
      hash.update(chunk);
      position += chunk.length;
    }
    if (position < size || done) return;
    const found = hash.digest('hex');
    if (found !== hexOf(digest)) {
      throw new FormatError('digest-mismatch', `expected ${digest}, found ${algorithmOf(digest)}:${found}`);
    }
    done = true;
  };

  return {
    reach: (end, source) => {
      turn = turn.then(() => advance(end, source));
      return turn;
    },
    get done() {
      return done;
    },
  };
}
