import type { Digest } from '../../../formats/digest.ts';
import type { FileRange } from '../files/index.ts';

/** Content to be read from a file, checked, and written to where it belongs. */
export interface Job {
  readonly digest: Digest;
  /** Bytes that there have to be. */
  readonly size: number;
  readonly from: FileRange;
  /** The descriptor of that file where it is open already: what is checked is what its owner reads then. */
  readonly descriptor?: number | undefined;
  /** Offsets in the target; none only checks. */
  readonly to: readonly number[];
}

/** What a worker is sent. */
export interface Batch {
  readonly setup: Setup;
  readonly jobs: readonly Job[];
}

/** What jobs have in common. */
export interface Setup {
  /** The file to write to, which exists; undefined where jobs only check. */
  readonly target: string | undefined;
  /** Whether all of the target is zeros still, so that zeros need not be written. */
  readonly holes: boolean;
  /** Whether large content goes past the page cache, because all of it will be waited for until the disk has it. */
  readonly direct: boolean;
}

/** How a job ended. */
export type Verdict =
  | { readonly kind: 'done' }
  /** The file cannot be read; whoever opens it will be informed why. */
  | { readonly kind: 'unread' }
  /** `changed` tells that the file was written to meanwhile. */
  | { readonly kind: 'size'; readonly found: number; readonly changed: boolean }
  | { readonly kind: 'digest'; readonly found: Digest; readonly changed: boolean }
  /** A system call on the target failed. */
  | { readonly kind: 'unwritten'; readonly code: string | undefined; readonly message: string };

/** What a worker tells: bytes that were worked off, or the verdicts of a batch, in its order. */
export type Report =
  | { readonly kind: 'bytes'; readonly count: number }
  | { readonly kind: 'batch'; readonly verdicts: readonly Verdict[] };

/** Bytes up to which jobs share a batch: a round trip to a worker costs about as much as reading this much. */
const BATCH = 4 * 1024 * 1024;

/** Jobs in one batch at most. */
const COUNT = 256;

/**
 * Shares jobs out into batches, the largest jobs first, so that no worker begins one when the others are at their end.
 * Small ones go together, in the order of their places.
 */
export function batchesOf(jobs: readonly Job[]): Job[][] {
  const large = jobs.filter(({ size }) => size >= BATCH).sort((a, b) => b.size - a.size);
  const batches = large.map((job) => [job]);
  let batch: Job[] = [];
  let bytes = 0;
  const small = jobs.filter(({ size }) => size < BATCH).sort((a, b) => (a.to[0] ?? 0) - (b.to[0] ?? 0));
  for (const job of small) {
    if (batch.length === COUNT || bytes + job.size > BATCH) {
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(job);
    bytes += job.size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
