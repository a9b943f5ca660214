import type { Stats } from 'node:fs';
import { lstat, open, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SolpackError } from './errors.ts';
import { ownUser } from './held-folder.ts';
import { readFile } from './open-file.ts';
import { hasEnded, isRun, isRunning, ownRun } from './runs.ts';
import { codeOf, unwritable } from './system-errors.ts';

/** Milliseconds that one lock is waited for: work under one takes a few of them. */
const PATIENCE = 10_000;

/** How many times as long is waited for all of them: somebody may make ever new ones. */
const MOST = 6;

/** Milliseconds between two looks. */
const PAUSE = 20;

/**
 * Runs `work`, which has to be short, while nobody else does under the same lock: the file `path`, which is there for as long and
 * names the run that made it. One of this user is taken over at once where that run has ended, and once it was there for
 * `patience` milliseconds of waiting where nobody can tell; no date counts. Throws `output-unwritable`, also where a lock is there
 * for longer that may not be taken over.
 */
export async function alone<T>(path: string, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  let seen: Stats | undefined;
  let since = performance.now();
  const end = since + MOST * patience;
  while (!(await take(path))) {
    const stats = await lstat(path).catch(() => undefined);
    if (!isSame(stats, seen)) [seen, since] = [stats, performance.now()];
    if (!stats) continue;
    if (!stats.isFile()) throw held(path, stats, undefined);
    const isLong = performance.now() - since > patience;
    const holder = await holderOf(path, stats);
    if (holder === 'ended' || (isLong && holder === 'unknown')) await removeSame(path, stats);
    else if (isLong || performance.now() > end) throw held(path, stats, holder);
    else await sleep(PAUSE);
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile(ownRun()).finally(() => handle.close());
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unwritable(path, error);
  }
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.ctimeMs === other?.ctimeMs;
}

/** The number of the process that has a lock, or why nobody has it any more; undefined for a lock of another user. */
async function holderOf(path: string, { uid }: Stats): Promise<number | 'ended' | 'unknown' | undefined> {
  if (ownUser() !== undefined && uid !== ownUser()) return undefined;
  const run = Buffer.from(await readFile(path, 1024).catch(() => new Uint8Array())).toString('latin1');
  if (!isRun(run)) return 'unknown';
  if (hasEnded(run)) return 'ended';
  return isRunning(run) ? Number(run.split('-')[0]) : 'unknown';
}

/** Removes a lock, unless another one has taken its place. */
async function removeSame(path: string, seen: Stats): Promise<void> {
  const now = await lstat(path).catch(() => undefined);
  if (!isSame(now, seen)) return;
  await unlink(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw unwritable(path, error);
  });
}

function held(path: string, stats: Stats, holder: number | string | undefined): SolpackError {
  const by =
    typeof holder === 'number' ? `process ${holder} holds this lock` : `this lock belongs to user ${stats.uid}`;
  return new SolpackError('output-unwritable', path, stats.isFile() ? by : 'is in the place of a lock, and no file', {
    hint: 'remove it once no run is under way that needs it',
  });
}
