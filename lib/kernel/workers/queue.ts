import { totalSize } from '../../../formats/oci/descriptor.ts';
import type { Job } from './job.ts';

/** Bytes of jobs that a thread has at most, while their verdicts are not there yet. */
const AHEAD = 256 * 1024 * 1024;

/** Batches of jobs, which threads take as they have time. */
export interface Queue {
  /**
   * Takes the next batch, for a thread that has `underway` bytes to work off before it. Returns undefined where none is
   * left, or where another thread will have time for it sooner.
   */
  take(underway: number): readonly Job[] | undefined;
  /** Resolves once none is left. */
  readonly empty: Promise<void>;
}

/** Makes a queue of batches, in their order, which `takers` work off. */
export function queueOf(batches: readonly (readonly Job[])[], takers: number): Queue {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = batches.reduce((sum, batch) => sum + bytesOfBatch(batch), 0);
  let taken = 0;
  return {
    take: (underway) => {
      // No other thread will be idle while so much is left, so this one may take a batch before it can begin it.
      if (underway > Math.min(AHEAD, left / (2 * takers))) return undefined;
      const batch = batches[taken];
      taken += 1;
      if (taken >= batches.length) resolve();
      left -= bytesOfBatch(batch ?? []);
      return batch;
    },
    empty: promise,
  };
}

/** Adds up the bytes of a batch. */
export function bytesOfBatch(batch: readonly Job[]): number {
  return totalSize(batch);
}
