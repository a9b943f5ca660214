import { createHash } from 'node:crypto';
import type { Bytes } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { ContentHolder, HeldContent, OpenContent } from './content.ts';
import { GRAIN, hashPieces, isSame, PIECE, type PieceTags, requireHash, requireSize, tagger } from './piece-tags.ts';
import type { Range } from './range.ts';

/** Reads content so that no wrong byte leaves unnoticed. */
export interface Integrity {
  /**
   * Reads all of some content, or a range of it. Every byte is checked before it is yielded. The first time all of the
   * content is hashed, and its last bytes are held back until the digest is right. From then on each piece is compared
   * with its tag. A range is read only after the whole was found right once. Content that was found damaged is checked
   * to its end before any of it is sent again. `lend` provides the memory for each chunk. Throws `FormatError`
   * `size-mismatch` or `digest-mismatch`.
   */
  read(held: HeldContent, range?: Range, lend?: Lend): Bytes;
}

/** Provides memory for `size` bytes, or for a smaller whole number of grains. */
export type Lend = (size: number) => Promise<Uint8Array>;

/** How many contents are checked at the same time, beside those that are sent. */
const CHECKS = 4;

/** What is known of some content. */
interface State {
  /** `OpenContent.version` of the bytes that this is about. */
  readonly version: string | undefined;
  damaged: boolean;
  /** Its tags, once somebody has asked for a range or all of it was sent. */
  pieces: Promise<PieceTags> | undefined;
}

/** Makes a reader that remembers which content it has checked. `signal` ends the checks that are under way. */
export function createIntegrity(signal: AbortSignal): Integrity {
  const turns = limiter(CHECKS);
  const holders = new WeakMap<ContentHolder, Map<Digest, State>>();

  const stateOf = ({ archive, descriptor: { digest } }: HeldContent, version: string | undefined): State => {
    const states = holders.get(archive) ?? new Map<Digest, State>();
    holders.set(archive, states);
    const known = states.get(digest);
    if (known && known.version === version) return known;
    const state = { version, damaged: false, pieces: undefined };
    states.set(digest, state);
    return state;
  };

  /** Returns the tags of content. Requests share one check, which continues when one of them leaves. */
  const piecesOf = (held: HeldContent, state: State): Promise<PieceTags> => {
    const check = (): Promise<PieceTags> =>
      turns(async () => {
        const source = await held.archive.read(held.descriptor);
        try {
          return await hashPieces(held, source, signal);
        } finally {
          await source.close?.();
        }
      });
    if (state.pieces) return state.pieces;
    const pieces = check();
    state.pieces = pieces;
    // A failure may be temporary, as when a network disk comes back: the next request checks again.
    pieces.catch(() => {
      if (state.pieces === pieces) state.pieces = undefined;
    });
    return pieces;
  };

  async function* read(held: HeldContent, source: OpenContent, range: Range | undefined, lend: Lend): Bytes {
    const state = stateOf(held, source.version);
    try {
      const pieces = range || state.damaged || state.pieces ? await piecesOf(held, state) : undefined;
      state.damaged = false;
      const whole = { start: 0, end: held.descriptor.size - 1 };
      const reading = { held, source, lend, signal };
      yield* pieces ? readAgain(reading, pieces, range ?? whole) : readFirst(reading, state);
    } catch (error) {
      if (error instanceof FormatError) {
        state.damaged = true;
        state.pieces = undefined;
      }
      throw error;
    }
  }

  return {
    read: async function* (held, range, lend = async (size) => new Uint8Array(size)) {
      const source = await held.archive.read(held.descriptor);
      try {
        yield* read(held, source, range, lend);
      } finally {
        await source.close?.();
      }
    },
  };
}

/** What reading content takes. */
interface ContentRead {
  readonly held: HeldContent;
  readonly source: OpenContent;
  readonly lend: Lend;
  readonly signal: AbortSignal;
}

/** Reads all of some content for the first time: its last bytes come only once the digest is right. */
async function* readFirst({ held, source, lend, signal }: ContentRead, state: State): Bytes {
  const { digest, size } = held.descriptor;
  requireSize(held, source);
  const hash = createHash(algorithmOf(digest));
  const tags = tagger();
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const into = await lend(Math.min(PIECE, size - at));
    const bytes = await source.read(at, Math.min(into.length, size - at), into);
    hash.update(bytes);
    tags.add(bytes);
    at += bytes.length;
    if (at === size) requireHash(digest, hash.digest('hex'));
    if (at === size) state.pieces ??= Promise.resolve(tags.end());
    if (bytes.length > 0) yield bytes;
    if (at === size) return;
  }
}

/** Reads a range of content that was right once: each piece has to be what it was then. */
async function* readAgain(
  { held, source, lend, signal }: ContentRead,
  pieces: PieceTags,
  { start, end }: Range,
): Bytes {
  const { digest, size } = held.descriptor;
  requireSize(held, source);
  const until = Math.min(end - (end % GRAIN) + GRAIN, size);
  for (let at = start - (start % GRAIN); at < until; ) {
    signal.throwIfAborted();
    const wanted = Math.min(PIECE - (at % PIECE), until - at);
    const into = await lend(wanted);
    const bytes = await source.read(at, Math.min(into.length, wanted), into);
    if (!isSame(pieces, at, bytes)) {
      throw new FormatError('digest-mismatch', `${digest} was changed at bytes ${at} to ${at + bytes.length - 1}`);
    }
    yield bytes.subarray(Math.max(start - at, 0), Math.min(end + 1 - at, bytes.length));
    at += bytes.length;
  }
}

/** Returns a function that runs work, at most `most` at the same time. */
function limiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
