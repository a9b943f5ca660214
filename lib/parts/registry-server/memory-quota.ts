import { type Claimant, leftError } from './claimant.ts';
import { PIECE } from './piece-tags.ts';
import { Refusal } from './reply.ts';

/** Bytes of content that may be in memory at the same time. */
const MOST = 32 * PIECE;
/** How many of them clients may hold that have proven to read. */
const PROVEN = 24 * PIECE;
/** How many of them other clients may hold, and from how many on they get grains instead of pieces. */
const UNPROVEN = 20 * PIECE;
const SCARCE = 4 * PIECE;
/** Bytes after which a client has proven to read: fewer may still lie in buffers of the system, read by nobody. */
export const BUFFERED = 6 * PIECE;
/** Waiting clients stand in one queue for each of these, by the bytes that they were sent so far. */
const steps = [BUFFERED, BUFFERED / 2, 1, 0] as const;
/** How long a client that was sent nothing yet waits for memory, in milliseconds. */
const WAIT = 60_000;

/** How many bytes clients may have in memory together. */
export interface MemoryQuota {
  /** Counts `size` bytes as soon as there is room for them. Throws `Refusal` 503 where there is none for long. */
  claim(size: number, unproven: boolean, claimant: Claimant): Promise<void>;
  /** Counts them no longer, and lets waiting clients have the room. */
  giveBack(size: number, unproven: boolean): void;
  /** Returns whether little memory is left for clients that have not proven to read. */
  isScarce(): boolean;
}

interface Waiter {
  readonly size: number;
  readonly unproven: boolean;
  readonly grant: () => void;
}

/**
 * Shares the quota among clients. Those that were sent most come first, so that downloads end; and a part is reserved
 * for those that have proven to read. `onQueue` is called whenever it has shared, with whether somebody waits.
 */
export function shareQuota(onQueue: (isWaitedFor: boolean) => void): MemoryQuota {
  const used = { all: 0, unproven: 0 };
  const queues: readonly Set<Waiter>[] = steps.map(() => new Set());

  const fits = (size: number, unproven: boolean): boolean =>
    used.all + size <= MOST &&
    (unproven ? used.unproven + size <= UNPROVEN : used.all - used.unproven + size <= PROVEN);
  const count = (size: number, unproven: boolean): void => {
    used.all += size;
    if (unproven) used.unproven += size;
  };
  const share = (): void => {
    for (const queue of queues) {
      for (const { size, unproven, grant } of queue) {
        if (!fits(size, unproven)) break;
        grant();
      }
    }
    onQueue(queues.some(({ size }) => size > 0));
  };

  const wait = async (size: number, unproven: boolean, claimant: Claimant): Promise<void> => {
    const queue = queues[steps.findIndex((step) => claimant.sent >= step)]!;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const grant = (): void => {
      queue.delete(waiter);
      count(size, unproven);
      resolve();
    };
    const waiter: Waiter = { size, unproven, grant };
    const end = (error: Error) => (): void => {
      if (queue.delete(waiter)) reject(error);
    };
    const forget = claimant.gone(end(leftError()));
    const late = new Refusal(503, 'UNKNOWN', 'too many clients are served at once', { 'retry-after': '5' });
    const giveUp = claimant.sent === 0 ? setTimeout(end(late), WAIT) : undefined;
    queue.add(waiter);
    share();
    try {
      await promise;
    } finally {
      clearTimeout(giveUp);
      forget();
    }
  };

  return {
    claim: async (size, unproven, claimant) => {
      if (queues.every((queue) => queue.size === 0) && fits(size, unproven)) count(size, unproven);
      else await wait(size, unproven, claimant);
    },
    giveBack: (size, unproven) => {
      count(-size, unproven);
      share();
    },
    isScarce: () => used.unproven >= SCARCE,
  };
}
