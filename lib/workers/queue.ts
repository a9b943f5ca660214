import type { Job } from './job.ts';

/** Bytes that a thread is sent at most before it has told of what came of them. */
const AHEAD = 256 * 1024 * 1024;

/** Batches, which whoever has time takes. */
export interface Queue {
  /**
   * The next one, for whoever has `underway` bytes to work off before it; undefined where none is left, or where somebody
   * else will have time for it sooner.
   */
  take(underway: number): readonly Job[] | undefined;
  /** Resolves once none is left. */
  readonly empty: Promise<void>;
}

/** Makes a queue of batches, in their order, which `takers` work off. */
export function queueOf(batches: readonly (readonly Job[])[], takers: number): Queue {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = batches.reduce((sum, batch) => sum + bytesOf(batch), 0);
  let taken = 0;
  return {
    take: (underway) => {
      // While so much is left, nobody else waits for what is taken now and begun later.
      if (underway > Math.min(AHEAD, left / (2 * takers))) return undefined;
      const batch = batches[taken];
      taken += 1;
      if (taken >= batches.length) resolve();
      left -= bytesOf(batch ?? []);
      return batch;
    },
    empty: promise,
  };
}

/** Adds up the bytes of a batch. */
export function bytesOf(batch: readonly Job[]): number {
  return batch.reduce((sum, { size }) => sum + size, 0);
}
