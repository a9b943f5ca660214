import type { Socket } from 'node:net';
import { createPieceMemory, type PieceMemory } from './piece-memory.ts';
import { GRAIN, PIECE } from './piece-tags.ts';
import { type Exchange, Refusal } from './reply.ts';

/** Bytes of content that may be in memory at the same time. */
const MOST = 32 * PIECE;
/** How many of them clients may hold that have proven to read. */
const PROVEN = 24 * PIECE;
/** How many of them other clients may hold, and from how many on they get grains instead of pieces. */
const UNPROVEN = 20 * PIECE;
const SCARCE = 4 * PIECE;
/** Smaller chunks take no share: the system accepts them at once. */
const SMALL = 64 * 1024;
/** Bytes after which a client has proven to read: fewer may still lie in buffers of the system, read by nobody. */
const BUFFERED = 6 * PIECE;
/** Waiting clients stand in one queue for each of these, by the bytes that they were sent so far. */
const steps = [BUFFERED, BUFFERED / 2, 1, 0] as const;
/** How often clients that hold memory are looked at while others wait, in milliseconds. */
const LOOK = 250;
/** How many looks may find a client with the same piece: one that has proven to read, and any other. */
const LOOKS = 24;
const LOOKS_UNPROVEN = 12;
/** How long a client that was sent nothing yet waits for memory, in milliseconds. */
const WAIT = 60_000;

/** A client that needs memory. */
export interface Claimant {
  /** Bytes that were sent over its connection. */
  sent: number;
  /** Cuts its connection, which gives its memory back. */
  cut(): void;
  /** Calls `then` when it disconnects. Returns a function that cancels this. */
  gone(then: () => void): () => void;
}

/** The memory of one request, which holds one piece at a time. */
export interface Loan {
  /**
   * Waits for memory for `size` bytes. Gives less where memory is scarce, but at least a grain. Throws `Refusal` 503
   * where there is none for long.
   */
  take(size: number): Promise<Uint8Array>;
  /** Waits until `size` bytes that lie elsewhere may be counted. Throws as `take`. */
  claim(size: number): Promise<void>;
  /** Notes that the client has to read now. */
  waits(): void;
  /** Gives the memory back; nobody may read it any longer. */
  give(): void;
}

/** A limited amount of memory for content that is being sent to clients or received from them. */
export interface SharedMemory {
  loan(claimant: Claimant): Loan;
  /** Cuts the client that has held its memory longest, if it had it for long. Returns false where there is none. */
  evict(): boolean;
}

interface Waiter {
  readonly size: number;
  readonly unproven: boolean;
  readonly grant: () => void;
}

interface Keeper {
  readonly claimant: Claimant;
  size: number;
  unproven: boolean;
  looks: number;
}

/**
 * Shares memory among clients. Clients that were sent most come first, so that downloads end; and a part is reserved
 * for those that have proven to read. While somebody waits, clients that keep a piece for too long are cut. While
 * nobody waits, everybody may read as slowly as they like. `onCut` is called for each client that was cut.
 */
export function shareMemory(onCut: () => void): SharedMemory {
  const used = { all: 0, unproven: 0 };
  const queues: readonly Set<Waiter>[] = steps.map(() => new Set());
  /** Clients that have to read, the longest waited for first. */
  const keepers = new Set<Keeper>();
  let timer: NodeJS.Timeout | undefined;

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
    if (queues.some(({ size }) => size > 0)) timer ??= setInterval(look, LOOK).unref();
    else if (timer) timer = void clearInterval(timer);
  };
  const cut = (keeper: Keeper): void => {
    keepers.delete(keeper);
    onCut();
    keeper.claimant.cut();
  };
  // Looks are counted instead of time: while this process is slow, its clients are not to blame.
  const look = (): void => {
    for (const keeper of keepers) {
      keeper.looks += 1;
      if (keeper.looks > (keeper.unproven ? LOOKS_UNPROVEN : LOOKS)) cut(keeper);
    }
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

  const pool: Pool = {
    keepers,
    claim: async (size, unproven, claimant) => {
      if (queues.every((queue) => queue.size === 0) && fits(size, unproven)) count(size, unproven);
      else await wait(size, unproven, claimant);
    },
    giveBack: (size, unproven) => {
      count(-size, unproven);
      share();
    },
    isScarce: () => used.unproven >= SCARCE,
    pieces: createPieceMemory(PIECE),
    grains: createPieceMemory(GRAIN),
  };
  return {
    loan: (claimant) => loanOf(claimant, pool),
    evict: () => {
      const [oldest] = keepers;
      if (!oldest || oldest.looks < LOOKS_UNPROVEN) return false;
      cut(oldest);
      return true;
    },
  };
}

/** What all loans share. */
interface Pool {
  readonly keepers: Set<Keeper>;
  claim(size: number, unproven: boolean, claimant: Claimant): Promise<void>;
  giveBack(size: number, unproven: boolean): void;
  /** Whether little memory is left for clients that have not proven to read. */
  isScarce(): boolean;
  readonly pieces: PieceMemory;
  readonly grains: PieceMemory;
}

function loanOf(claimant: Claimant, { keepers, claim, giveBack, isScarce, pieces, grains }: Pool): Loan {
  const keeper: Keeper = { claimant, size: 0, unproven: false, looks: 0 };
  let bytes: Uint8Array | undefined;
  const take = async (size: number): Promise<void> => {
    if (size < SMALL) return;
    const unproven = claimant.sent < BUFFERED;
    await claim(size, unproven, claimant);
    keeper.size = size;
    keeper.unproven = unproven;
  };
  return {
    claim: take,
    take: async (wanted) => {
      const scarce = claimant.sent < BUFFERED && isScarce();
      const size = wanted > GRAIN && !scarce ? PIECE : Math.min(wanted, GRAIN);
      await take(size);
      bytes = (size === PIECE ? pieces : grains).take(size);
      return bytes;
    },
    waits: () => {
      if (keeper.size === 0) return;
      keeper.looks = 0;
      keepers.add(keeper);
    },
    give: () => {
      keepers.delete(keeper);
      if (bytes) (bytes.length === PIECE ? pieces : grains).give(bytes);
      bytes = undefined;
      const { size, unproven } = keeper;
      if (size === 0) return;
      keeper.size = 0;
      claimant.sent += size;
      giveBack(size, unproven);
    },
  };
}

const claimants = new WeakMap<Socket, Claimant>();

/** Returns the client of a request. */
export function claimantOf({ request: { socket } }: Exchange): Claimant {
  const known = claimants.get(socket);
  if (known) return known;
  const claimant: Claimant = {
    sent: 0,
    cut: () => void socket.destroy(),
    gone: (then) => {
      if (socket.destroyed) queueMicrotask(then);
      socket.once('close', then);
      return () => void socket.off('close', then);
    },
  };
  claimants.set(socket, claimant);
  return claimant;
}

/** Makes the error of a client that has disconnected, which is nobody's fault here. */
export function leftError(): Error {
  return Object.assign(new Error('the client has gone'), { code: 'ECONNRESET' });
}
