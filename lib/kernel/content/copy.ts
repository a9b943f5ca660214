import type { Digest } from '../../../formats/digest.ts';
import { pool } from '../events/index.ts';
import type { FileRange } from '../files/index.ts';
import { MismatchError } from '../workers/index.ts';
import type { ContentTarget, TakeOptions } from './model.ts';
import { atSide, move, sourceError, type Transfer } from './move.ts';

/** What a copy did, in things and bytes. */
export interface Copied {
  readonly moved: number;
  readonly movedBytes: number;
  /** What the target had already. */
  readonly present: number;
}

/** How content is copied. */
export interface CopyOptions {
  readonly signal?: AbortSignal;
  /** Streams at once. */
  readonly limit?: number;
  /** Gets bytes that were moved; of a negative count where they have to be moved once more. */
  readonly onBytes?: (count: number) => void;
}

/**
 * Moves content into `target`: the one algorithm for pack, push, load and mirror. Each digest is moved once, by one
 * worker, checked on the way; what the target has is left alone. Content that lies in files is left to targets that
 * take it there by themselves; the rest is streamed, meanwhile. Blobs are moved before the manifests that name them:
 * callers pass them in that order, in groups that may run at the same time.
 */
export async function copy(
  groups: readonly (readonly Transfer[])[],
  target: ContentTarget,
  options: CopyOptions = {},
): Promise<Copied> {
  const { onBytes = () => undefined } = options;
  const seen = new Set<Digest>();
  const copied = { moved: 0, movedBytes: 0, present: 0 };
  const moved = ({ descriptor }: Transfer): void => {
    copied.moved += 1;
    copied.movedBytes += descriptor.size;
  };
  const lacks = async ({ descriptor, source }: Transfer, signal?: AbortSignal): Promise<boolean> => {
    const has = async (): Promise<boolean> =>
      (await target.has(descriptor, signal)) || ((await target.adopt?.(descriptor, source, signal)) ?? false);
    const there = await has().catch((error) => {
      throw atSide(error, 'target', descriptor);
    });
    if (!there) return true;
    copied.present += 1;
    onBytes(descriptor.size);
    return false;
  };
  const streamOne = async (transfer: Transfer, signal: AbortSignal): Promise<void> => {
    await move(transfer, target, signal, onBytes);
    moved(transfer);
  };
  for (const group of groups) {
    const fresh = group.filter(({ descriptor: { digest } }) => !seen.has(digest) && seen.add(digest));
    const located = await locateAll(fresh, target);
    const take = async (signal: AbortSignal): Promise<void> => {
      const wanted: Transfer[] = [];
      for (const transfer of located.keys()) if (await lacks(transfer, signal)) wanted.push(transfer);
      const left = await takeAll(wanted, located, target, { signal, onBytes });
      for (const transfer of wanted) if (!left.includes(transfer)) moved(transfer);
      await pool(left, { ...options, signal }, streamOne);
    };
    const stream = (signal: AbortSignal): Promise<void> =>
      pool(
        fresh.filter((transfer) => !located.has(transfer)),
        { ...options, signal },
        async (transfer, inner) => {
          if (await lacks(transfer, inner)) await streamOne(transfer, inner);
        },
      );
    await pool(located.size > 0 ? [take, stream] : [stream], options, (work, signal) => work(signal));
  }
  return copied;
}

/** Finds the files that content can be taken from, where the target knows how to. */
async function locateAll(transfers: readonly Transfer[], target: ContentTarget): Promise<Map<Transfer, FileRange>> {
  const located = new Map<Transfer, FileRange>();
  if (!target.take) return located;
  for (const transfer of transfers) {
    const range = await transfer.source.locate?.(transfer.descriptor);
    if (range) located.set(transfer, range);
  }
  return located;
}

/** Lets the target take content out of files; returns what it could not read. */
async function takeAll(
  wanted: readonly Transfer[],
  located: ReadonlyMap<Transfer, FileRange>,
  target: ContentTarget,
  options: TakeOptions,
): Promise<Transfer[]> {
  const byDigest = new Map(wanted.map((transfer) => [transfer.descriptor.digest, transfer]));
  const contents = wanted.map((transfer) => ({ descriptor: transfer.descriptor, from: located.get(transfer)! }));
  try {
    const left = await target.take!(contents, options);
    return left.flatMap(({ descriptor }) => byDigest.get(descriptor.digest) ?? []);
  } catch (error) {
    const transfer = error instanceof MismatchError ? byDigest.get(error.digest) : undefined;
    if (!transfer || !(error instanceof MismatchError)) throw error;
    throw sourceError(transfer.source, transfer.descriptor, error.cause);
  }
}
