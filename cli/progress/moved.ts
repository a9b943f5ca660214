import type { ByteTransfer } from './shown.ts';

/** What a step has moved in all. */
export interface Moved {
  readonly step: string;
  readonly bytes: number;
  /** Milliseconds. */
  readonly took: number;
}

/** Whether all of it is moved. */
export function isOver({ done, total }: Pick<ByteTransfer, 'done' | 'total'>): boolean {
  return done >= total;
}

/** Sums up what each step has moved, in the order in which they began. */
export function movedBy(transfers: readonly ByteTransfer[]): readonly Moved[] {
  const sums = new Map<string, Moved>();
  for (const { step, done, since, until } of transfers) {
    const { bytes = 0, took = 0 } = sums.get(step) ?? {};
    sums.set(step, { step, bytes: bytes + done, took: took + until - since });
  }
  return [...sums.values()].filter(({ bytes }) => bytes > 0);
}
