import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Workers at most: each takes about 20 MiB, and four hash faster than disks write. */
const MOST = 4;

/** Bytes below which starting threads takes longer than working them off. */
const WORTHWHILE = 16 * 1024 * 1024;

/**
 * Returns whether `bytes` are enough for threads. Whoever asks for a number of threads gets them anyway, and for 0
 * none.
 */
export function isWorthwhile(bytes: number, wanted: number | undefined): boolean {
  return wanted === undefined ? bytes >= WORTHWHILE : wanted > 0;
}

/** Threads that run jobs. */
export interface Crew extends AsyncDisposable {
  readonly workers: readonly Worker[];
}

/** Returns how many threads `wanted` stands for: undefined is one for each core, up to 4. */
export function crewSize(wanted: number | undefined): number {
  return wanted ?? Math.min(MOST, availableParallelism());
}

/** Returns how many threads to start beside this one, where this one takes part in the work. */
export function besides(): number {
  return Math.max(1, crewSize(undefined) - 1);
}

/** Starts threads. They take a while to come up; whoever has work for them later need not wait for that. */
export function hire(count: number): Crew {
  // A thread does not share what this one has compiled by itself; it names the folder above that of this Node.js.
  const compiled = getCompileCacheDir();
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) };
  const workers = Array.from({ length: count }, () => {
    const worker = new Worker(new URL('./body.ts', import.meta.url), { execArgv: [], env });
    // One that cannot start is found out when it is to work.
    worker.on('error', () => undefined);
    // Idle ones keep no program alive.
    worker.unref();
    return worker;
  });
  return {
    workers,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
