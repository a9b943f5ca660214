import { type Digest, isDigest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { joined } from '../../../formats/tree.ts';
import { type Crew, type Job, runJobs, type Verdict } from '../../kernel/workers/index.ts';
import type { OpenedCarrier } from '../../parts/archives/index.ts';

/** A blob, and where it lies in an archive. */
export interface PlacedBlob {
  readonly digest: Digest;
  readonly offset: number;
  readonly size: number;
  /** The file whose content it is, where a place in the archive would say nothing to a user. */
  readonly path?: string;
}

/** Bytes below which to hash content here takes less time than to have a thread do it. */
const SMALL = 64 * 1024;

/** Returns whether a blob is so small that threads do not hash it. */
export function isSmall({ size }: PlacedBlob): boolean {
  return size < SMALL;
}

/**
 * Likely blobs at most. Where there are more, the root has to be read first: it bounds how many blobs there are, and
 * names of files do not.
 */
const MOST = 16_384;

/** How each blob compares with its digest, by `placeOf`. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** Names what a verdict is about: bytes, and the digest that they should have. */
export function placeOf({ digest, offset, size }: PlacedBlob): string {
  return `${digest} ${offset} ${size}`;
}

/** How blobs are hashed. */
export interface Hashing {
  /** Threads that were started beforehand. */
  readonly crew?: Crew | undefined;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/** Hashing that threads have begun. */
export interface Underway {
  /** Takes part in it, and returns what came of it. Rejects where it was aborted. */
  finish(): Promise<Verdicts>;
}

/** Lets threads hash blobs of a file that is open on this machine. */
export function beginHashing(
  blobs: readonly PlacedBlob[],
  { path, descriptor }: { readonly path: string; readonly descriptor: number },
  { crew, signal, onBytes }: Hashing,
): Underway {
  const verdicts = new Map<string, Verdict>();
  const jobs = blobs.map(({ digest, offset, size }): Job => {
    return { digest, size, from: { path, offset, size }, descriptor, to: [] };
  });
  const onVerdict = ({ digest, size, from }: Job, verdict: Verdict): void => {
    verdicts.set(placeOf({ digest, offset: from.offset, size }), verdict);
  };
  const { promise: idle, resolve } = Promise.withResolvers<void>();
  const checkOnly = { target: undefined, holes: false, direct: false, workers: undefined };
  const done = runJobs(jobs, { ...checkOnly, crew, idle, signal, onBytes, onVerdict });
  // Whoever finishes it counts.
  done.catch(() => undefined);
  return {
    finish: async () => {
      resolve();
      await done;
      return verdicts;
    },
  };
}

/**
 * Lists blobs that are not small by the names of files alone: those that threads will probably have to hash. The root,
 * which is not read yet, decides that. Lists none where they are too many, or where they have more bytes than the
 * archive and so overlap.
 */
export async function likelyBlobs({ tree, file }: OpenedCarrier): Promise<PlacedBlob[]> {
  const blobs: PlacedBlob[] = [];
  let total = 0;
  try {
    for await (const { path, type, size, extents } of tree.walk('blobs/sha256', SMALL)) {
      const digest = `sha256:${path.slice(path.lastIndexOf('/') + 1)}`;
      const [extent, ...more] = joined(extents);
      if (type !== 'file' || !isDigest(digest) || extent === undefined || more.length > 0) continue;
      blobs.push({ digest, offset: extent.offset, size });
      total += size;
      if (blobs.length > MOST || total > file.size || extent.offset + size > file.size) return [];
    }
  } catch (error) {
    // Whoever compares the tree says what is wrong with it.
    if (error instanceof FormatError) return [];
    throw error;
  }
  return blobs;
}
