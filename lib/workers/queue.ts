import type { Job } from './job.ts';

/** Batches, which whoever has time takes. */
export interface Queue {
  /** The next one; undefined where none is left. */
  take(): readonly Job[] | undefined;
  /** Resolves once none is left. */
  readonly empty: Promise<void>;
}

/** A queue of batches, in their order. */
export function queueOf(batches: readonly (readonly Job[])[]): Queue {
  const { promise, resolve } = Promise.withResolvers<void>();
  let taken = 0;
  return {
    take: () => {
      taken += 1;
      if (taken >= batches.length) resolve();
      return batches[taken - 1];
    },
    empty: promise,
  };
}
