import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, unwritable } from './host.ts';

/** Milliseconds after which a lock is taken to be of somebody who is gone: work under one takes a few of them. */
const STALE = 10_000;

/** Milliseconds between two looks. */
const PAUSE = 20;

/**
 * Runs `work`, which has to be short, while nobody else does under the same lock: the file `path`, which is there for as long.
 * One that was left by a killed process is taken over after ten seconds. Throws `output-unwritable`.
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) {
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE) await rm(path, { force: true });
    else await sleep(PAUSE);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unwritable(path, error);
  }
}
