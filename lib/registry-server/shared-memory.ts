import type { Socket } from 'node:net';
import { createPieceMemory, type PieceMemory } from './piece-memory.ts';
import { GRAIN, PIECE } from './piece-tags.ts';
import { type Exchange, Refusal } from './reply.ts';

/** Bytes of content that are on their way at once. */
const MOST = 32 * PIECE;
/** How much of it those may have at most who were seen to read. */
const PROVEN = 24 * PIECE;
/** And those of whom nobody knows it yet; and from where on they get it in grains. */
const UNPROVEN = 20 * PIECE;
const SCARCE = 4 * PIECE;
/** What is smaller goes without asking: the system takes it as soon as it is written. */
const SMALL = 64 * 1024;
/** Bytes after which a client has read something: what came before lies in buffers of the system, also where nobody reads. */
const BUFFERED = 6 * PIECE;
/** Bytes that a client was sent, by which those stand in line who wait. */
const steps = [BUFFERED, BUFFERED / 2, 1, 0] as const;
/** How often clients that keep room are looked at while others wait, in milliseconds. */
const LOOK = 250;
/** How many looks may find a client with the same piece: of whom it is known that they read, and of others. */
const LOOKS = 24;
const LOOKS_UNPROVEN = 12;
/** How long room is waited for by those who have nothing yet, in milliseconds. */
const WAIT = 60_000;

/** A client that room is needed for. */
export interface Claimant {
  /** Bytes that it was sent by this connection. */
  sent: number;
  /** Cuts its connection, which ends what room it has. */
  cut(): void;
  /** Calls `then` when it has gone; gives a function that takes that back. */
  gone(then: () => void): () => void;
}

/** The room of one request: that of one piece at a time. */
export interface Loan {
  /**
   * Waits for memory for `size` bytes, of which there is less where many ask for it, but no less than a grain. Throws `Refusal`
   * 503 where there is none for long.
   */
  take(size: number): Promise<Uint8Array>;
  /** Waits for room for `size` bytes that lie elsewhere. Throws alike. */
  claim(size: number): Promise<void>;
  /** From now on it is the client that is waited for. */
  waits(): void;
  /** Gives it back: nobody reads it any longer. */
  give(): void;
}

/** Memory for what is on its way to or from clients, of which there is so much and no more. */
export interface SharedMemory {
  loan(claimant: Claimant): Loan;
  /** Cuts the client that has kept its room longest, if that is for long; false where nobody has. */
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
 * Shares room out. Those who were sent most come first, so that what has begun ends; and some of it is for those who were seen to
 * read. Where somebody waits, those are cut who keep a piece for too long. As long as nobody waits, everybody may read as
 * slowly as they like. `onCut` is told of each that was cut.
 */
export function shareMemory(onCut: () => void): SharedMemory {
  const used = { all: 0, unproven: 0 };
  const queues: readonly Set<Waiter>[] = steps.map(() => new Set());
  /** In the order in which they began to be waited for. */
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
  // Looks are counted, and not time: where this process had no time, its clients were not slow.
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

/** Where room is had. */
interface Pool {
  readonly keepers: Set<Keeper>;
  claim(size: number, unproven: boolean, claimant: Claimant): Promise<void>;
  giveBack(size: number, unproven: boolean): void;
  /** Whether there is little left for those of whom it is not known whether they read. */
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

/** Whoever a request is of. */
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

/** The error of a client that went away, which is nobody's fault here. */
export function leftError(): Error {
  return Object.assign(new Error('the client has gone'), { code: 'ECONNRESET' });
}
