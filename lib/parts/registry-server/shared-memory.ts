import type { Claimant } from './claimant.ts';
import { BUFFERED, type MemoryQuota, shareQuota } from './memory-quota.ts';
import { createPieceMemory, type PieceMemory } from './piece-memory.ts';
import { GRAIN, PIECE } from './piece-tags.ts';

/** Smaller chunks take no share: the system accepts them at once. */
const SMALL = 64 * 1024;
/** How often clients that hold memory are looked at while others wait, in milliseconds. */
const LOOK = 250;
/** How many looks may find a client with the same piece: one that has proven to read, and any other. */
const LOOKS = 24;
const LOOKS_UNPROVEN = 12;

/** The memory of one request, which holds one piece at a time. */
export interface Loan {
  /**
   * Waits for memory for `size` bytes. Gives less where memory is scarce, but at least a grain. Throws `Refusal` 503
   * where there is none for long.
   */
  take(size: number): Promise<Uint8Array>;
  /** Waits until `size` bytes that lie elsewhere may be counted. Throws as `take`. */
  claim(size: number): Promise<void>;
  /** Notes that the client has to read or to send now. */
  waits(): void;
  /** Notes that it need not, because this side is at work: nobody is cut for that. */
  works(): void;
  /** Gives the memory back; nobody may read it any longer. */
  give(): void;
}

/** A limited amount of memory for content that is being sent to clients or received from them. */
export interface SharedMemory {
  loan(claimant: Claimant): Loan;
  /** Cuts the client that has held its memory longest, if it had it for long. Returns false where there is none. */
  evict(): boolean;
}

interface Keeper {
  readonly claimant: Claimant;
  size: number;
  unproven: boolean;
  looks: number;
}

/**
 * Shares memory among clients, as `shareQuota` says. While somebody waits, clients that keep a piece for too long are
 * cut. While nobody waits, everybody may read as slowly as they like. `onCut` is called for each client that was cut.
 */
export function shareMemory(onCut: () => void): SharedMemory {
  /** Clients that have to read, the longest waited for first. */
  const keepers = new Set<Keeper>();
  let timer: NodeJS.Timeout | undefined;

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
  const quota = shareQuota((isWaitedFor) => {
    if (isWaitedFor) timer ??= setInterval(look, LOOK).unref();
    else if (timer) timer = void clearInterval(timer);
  });
  const pool: Pool = { keepers, quota, pieces: createPieceMemory(PIECE), grains: createPieceMemory(GRAIN) };
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
  readonly quota: MemoryQuota;
  readonly pieces: PieceMemory;
  readonly grains: PieceMemory;
}

function loanOf(claimant: Claimant, { keepers, quota, pieces, grains }: Pool): Loan {
  const keeper: Keeper = { claimant, size: 0, unproven: false, looks: 0 };
  let bytes: Uint8Array | undefined;
  const take = async (size: number): Promise<void> => {
    if (size < SMALL) return;
    const unproven = claimant.sent < BUFFERED;
    await quota.claim(size, unproven, claimant);
    keeper.size = size;
    keeper.unproven = unproven;
  };
  return {
    claim: take,
    take: async (wanted) => {
      const scarce = claimant.sent < BUFFERED && quota.isScarce();
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
    works: () => void keepers.delete(keeper),
    give: () => {
      keepers.delete(keeper);
      if (bytes) (bytes.length === PIECE ? pieces : grains).give(bytes);
      bytes = undefined;
      const { size, unproven } = keeper;
      if (size === 0) return;
      keeper.size = 0;
      claimant.sent += size;
      quota.giveBack(size, unproven);
    },
  };
}
