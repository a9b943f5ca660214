import { createHash } from 'node:crypto';
import type { Bytes } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { hashPieces, PIECE, type Pieces, requireDigest, requireSize, tagOf } from './check.ts';
import type { Held, Holder, OpenContent } from './content.ts';
import { createPieceMemory } from './piece-memory.ts';
import type { Range } from './range.ts';

/** Reads content in a way that no wrong byte gets out unnoticed. */
export interface Integrity {
  /**
   * All of it, or a part. The very bytes that are handed on are checked, each time. The first time all of it is hashed, and
   * the last bytes are kept back until the digest is right; from then on each piece has to be the one that it was. A part
   * comes only after the whole was right once. What was found damaged is checked to its end before anything of it is sent
   * again. Throws `FormatError` `size-mismatch` or `digest-mismatch`.
   */
  read(held: Held, range?: Range): Bytes;
  /** Takes back the memory of a chunk that `read` gave and that nobody reads any longer; to be told is not necessary. */
  done(chunk: Uint8Array): void;
}

/** What is known of some content. */
interface State {
  /** As `OpenContent` has it: what is known is of these bytes only. */
  readonly version: string | undefined;
  damaged: boolean;
  /** Its pieces, once somebody has asked for a part, or all of it was sent. */
  pieces: Promise<Pieces> | undefined;
}

/** Makes a reader that remembers what it has found; `signal` ends what is under way. */
export function createIntegrity(signal: AbortSignal): Integrity {
  const memory = createPieceMemory(PIECE);
  const holders = new WeakMap<Holder, Map<Digest, State>>();

  const stateOf = ({ archive, descriptor: { digest } }: Held, version: string | undefined): State => {
    const states = holders.get(archive) ?? new Map<Digest, State>();
    holders.set(archive, states);
    const known = states.get(digest);
    if (known && known.version === version) return known;
    const state = { version, damaged: false, pieces: undefined };
    states.set(digest, state);
    return state;
  };

  /** The pieces of content; several who ask share one check, which goes on where one of them leaves. */
  const piecesOf = (held: Held, state: State): Promise<Pieces> => {
    const check = async (): Promise<Pieces> => {
      const source = await held.archive.read(held.descriptor);
      try {
        return await hashPieces(held, source, signal);
      } finally {
        await source.close?.();
      }
    };
    if (state.pieces) return state.pieces;
    const pieces = check();
    state.pieces = pieces;
    // A failure may pass, as when a network disk comes back: the next one who asks begins anew.
    pieces.catch(() => {
      if (state.pieces === pieces) state.pieces = undefined;
    });
    return pieces;
  };

  async function* readFirst(held: Held, source: OpenContent, state: State): Bytes {
    const { digest, size } = held.descriptor;
    requireSize(held, source);
    const hash = createHash(algorithmOf(digest));
    const pieces: string[] = [];
    for (let at = 0; at + PIECE < size; at += PIECE) {
      signal.throwIfAborted();
      const bytes = await source.read(at, PIECE, memory.take(PIECE));
      hash.update(bytes);
      pieces.push(tagOf(bytes));
      yield bytes;
    }
    const rest = size % PIECE || Math.min(size, PIECE);
    const last = await source.read(size - rest, rest, memory.take(Math.min(PIECE, size)));
    requireDigest(digest, hash.update(last).digest('hex'));
    if (rest > 0) pieces.push(tagOf(last));
    state.pieces ??= Promise.resolve(pieces);
    if (rest > 0) yield last;
  }

  async function* readAgain(held: Held, source: OpenContent, pieces: Pieces, { start, end }: Range): Bytes {
    const { digest, size } = held.descriptor;
    requireSize(held, source);
    for (let number = Math.floor(start / PIECE); number * PIECE <= end; number += 1) {
      signal.throwIfAborted();
      const at = number * PIECE;
      const bytes = await source.read(at, Math.min(PIECE, size - at), memory.take(Math.min(PIECE, size)));
      if (tagOf(bytes) !== pieces[number]) {
        throw new FormatError('digest-mismatch', `${digest} was changed at bytes ${at} to ${at + bytes.length - 1}`);
      }
      yield bytes.subarray(Math.max(start - at, 0), Math.min(end + 1 - at, bytes.length));
    }
  }

  async function* read(held: Held, source: OpenContent, range: Range | undefined): Bytes {
    const state = stateOf(held, source.version);
    try {
      const pieces = range || state.damaged || state.pieces ? await piecesOf(held, state) : undefined;
      state.damaged = false;
      const whole = { start: 0, end: held.descriptor.size - 1 };
      yield* pieces ? readAgain(held, source, pieces, range ?? whole) : readFirst(held, source, state);
    } catch (error) {
      if (error instanceof FormatError) {
        state.damaged = true;
        state.pieces = undefined;
      }
      throw error;
    }
  }

  return {
    read: async function* (held, range) {
      const source = await held.archive.read(held.descriptor);
      try {
        yield* read(held, source, range);
      } finally {
        await source.close?.();
      }
    },
    done: memory.give,
  };
}
