import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, lend, SolpackError, unwritable } from '../events/index.ts';
import { type HeldFolder, holdFolder, ownUser } from './held-folder.ts';
import { claimLock } from './lock-claim.ts';
import { holderOf, type LockHolder } from './lock-holder.ts';

/** Milliseconds that one lock is waited for: work under one takes a few of them. */
const PATIENCE = 10_000;

/** How many times as long is waited for all of them: somebody may make ever new ones. */
const MOST = 6;

/** Milliseconds between two looks. */
const PAUSE = 20;

/** The sole use of something. */
export interface TakenLock {
  /** Gives it back. The folder has to be held until then. */
  release(): Promise<void>;
}

/** How a lock is taken. */
export interface LockOptions {
  /** Milliseconds that a lock is waited for whose holder runs on, or of whom nobody can tell. */
  readonly patience: number;
  /** What is thrown where the lock stays held; `output-unwritable` about the lock where that is absent. */
  readonly busy?: (() => SolpackError) | undefined;
}

/**
 * Runs `work`, which has to be short, while nobody else does under the same lock: `path`, in a folder that is there.
 * Waits for a holder that runs on for `patience` milliseconds. Throws what `takeLock` throws, and `path-escapes` as
 * `holdFolder` does.
 */
export async function alone<T>(path: string, work: () => Promise<T>, patience: number = PATIENCE): Promise<T> {
  const folder = await holdFolder(dirname(path)).catch((error) => {
    throw unwritable(path, error);
  });
  return lend(folder, async () => {
    const lock = await takeLock(folder, basename(path), { patience });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  });
}

/**
 * Takes the lock `name` of a folder, and holds it until the release or the end of the process, however that ends. A
 * lock whose holder has ended is taken over at once. One of this user of whom nobody can say whether it has, because it
 * may be of another machine, is taken over once it was there for `patience` milliseconds of waiting; no date counts.
 * Throws `output-unwritable` where the lock cannot be made or something else is in its place, and what `busy` makes
 * where it stays held.
 */
export async function takeLock(folder: HeldFolder, name: string, { patience, busy }: LockOptions): Promise<TakenLock> {
  try {
    const taken = await take(folder, name, patience);
    if ('release' in taken) return taken;
    throw taken.state === 'foreign' || !busy ? held(join(folder.path, name), taken) : busy();
  } catch (error) {
    throw unwritable(join(folder.path, name), error);
  }
}

/** Takes a lock. Returns its holder instead where it stays held. */
async function take(folder: HeldFolder, name: string, patience: number): Promise<TakenLock | LockHolder> {
  const claim = await claimLock(folder, name);
  try {
    let seen: string | undefined;
    let since = performance.now();
    const end = since + MOST * patience;
    while (!(await claim.publish())) {
      const holder = await holderOf(folder, name, claim);
      if (holder?.mark !== seen) [seen, since] = [holder?.mark, performance.now()];
      if (!holder) continue;
      const isLong = performance.now() - since >= patience;
      if (isOver(holder, isLong)) {
        const rival = await remove(folder, name, holder, patience);
        if (!rival) continue;
      }
      if (holder.state === 'foreign' || isLong || performance.now() > end) {
        await claim.withdraw();
        return holder;
      }
      await sleep(PAUSE);
    }
    return { release: claim.withdraw };
  } catch (error) {
    await claim.withdraw();
    throw error;
  }
}

/** Whether a lock may be taken over. One of another user only where the system itself says that nobody holds it. */
function isOver({ state, user }: LockHolder, isLong: boolean): boolean {
  const isOwn = ownUser() === undefined || user === ownUser();
  return state === 'abandoned' || (isOwn && (state === 'ended' || (state === 'unknown' && isLong)));
}

/**
 * Removes a lock that has ended, unless another one has taken its place. The system cannot do that in one step, and
 * between two somebody else may remove this lock and take the next: so whoever removes one takes a lock of its own for
 * that, whose name is made from the one to remove. Returns who holds that lock, if it stays held.
 */
async function remove(
  folder: HeldFolder,
  name: string,
  { mark }: LockHolder,
  patience: number,
): Promise<LockHolder | undefined> {
  const digest = createHash('sha256').update(mark).digest('hex').slice(0, 8);
  const taken = await take(folder, `${name}.${digest}`, patience);
  if (!('release' in taken)) return taken;
  try {
    const now = await holderOf(folder, name);
    if (now?.mark !== mark) return undefined;
    for (const gone of [name, now.socket]) {
      if (gone !== undefined) await unlink(folder.at(gone)).catch(unlessAbsent);
    }
    return undefined;
  } finally {
    await taken.release();
  }
}

function unlessAbsent(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function held(path: string, { state, user, process }: LockHolder): SolpackError {
  const hint = 'remove it when no run needs it any more';
  if (state === 'foreign') {
    return new SolpackError('output-unwritable', path, 'is in the place of a lock, but is not a file', { hint });
  }
  const isOwn = ownUser() === undefined || user === undefined || user === ownUser();
  const who = process === undefined ? 'another process' : `process ${process}`;
  const by = isOwn ? `${who} holds this lock` : `this lock belongs to user ${user}`;
  return new SolpackError('output-unwritable', path, by, { hint });
}
