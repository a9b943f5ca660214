import type { Bytes } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { beginCheck, type Check, PIECE } from './check.ts';
import type { Held, Holder, OpenContent } from './content.ts';
import type { Range } from './range.ts';

/** Reads content in a way that no wrong byte gets out unnoticed. */
export interface Integrity {
  /**
   * All of it, or a part. What was not read before is hashed meanwhile, and the last bytes are kept back until all were
   * found right; a part comes only after the whole was. What was found damaged is checked to its end before anything of
   * it is sent again. Throws `FormatError` `size-mismatch` or `digest-mismatch`.
   */
  read(held: Held, range?: Range): Bytes;
  /** Remembers that content was hashed when it came. */
  trust(held: Held): void;
}

/** Makes a reader that remembers what it has checked; `signal` ends what is under way. */
export function createIntegrity(signal: AbortSignal): Integrity {
  const holders = new WeakMap<Holder, Map<string, State>>();
  const statesOf = ({ archive }: Held): Map<string, State> => {
    const known = holders.get(archive) ?? new Map<string, State>();
    holders.set(archive, known);
    return known;
  };

  async function* pieces(held: Held, source: OpenContent, { start, end }: Range): Bytes {
    const states = statesOf(held);
    const { size } = held.descriptor;
    const key = keyOf(held, source.version);
    const state = states.get(key) ?? { check: beginCheck(held), damaged: false };
    if (state !== 'right') states.set(key, state);
    /** Where the content has to be right before more is sent. */
    const reach = async (to: number): Promise<void> => {
      if (state === 'right' || state.check.done) return;
      try {
        await state.check.reach(to, source);
      } catch (error) {
        // A failure may pass, as when a network disk comes back: the next one who asks begins anew.
        const damaged = state.damaged || error instanceof FormatError;
        if (states.get(key) === state) states.set(key, { check: beginCheck(held), damaged });
        throw error;
      }
      if (state.check.done) states.set(key, 'right');
    };
    const part = start > 0 || end < size - 1;
    if (part || size <= PIECE || (state !== 'right' && state.damaged)) await reachAll(reach, size, signal);
    for (let at = start; at <= end; at += PIECE) {
      const length = Math.min(PIECE, end + 1 - at);
      await reach(at + length);
      signal.throwIfAborted();
      yield await source.read(at, length);
    }
  }

  return {
    read: async function* (held, range = { start: 0, end: held.descriptor.size - 1 }) {
      const source = await held.archive.read(held.descriptor);
      try {
        yield* pieces(held, source, range);
      } finally {
        await source.close?.();
      }
    },
    trust: (held) => {
      statesOf(held).set(keyOf(held), 'right');
    },
  };
}

function keyOf({ descriptor }: Held, version = ''): string {
  return `${descriptor.digest} ${version}`;
}

type State = 'right' | { readonly check: Check; readonly damaged: boolean };

/** Checks all of some content, with pauses in which others get their turn. */
async function reachAll(reach: (to: number) => Promise<void>, size: number, signal: AbortSignal): Promise<void> {
  for (let to = Math.min(PIECE, size); ; to = Math.min(to + PIECE, size)) {
    signal.throwIfAborted();
    await reach(to);
    if (to === size) return;
  }
}
