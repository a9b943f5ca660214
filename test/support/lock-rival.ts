import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { holdFolder } from '../../lib/kernel/files/held-folder.ts';
import { takeLock } from '../../lib/kernel/files/lock.ts';

/** Somebody who tries to take the lock `lock` of a folder when told, while the thread that tells does nothing. */
export interface Rival extends AsyncDisposable {
  /** Has it try once, and returns when it has. */
  takeNow(): void;
  holds(): boolean;
}

const [WAITS, TRIES, HOLDS, REFUSED] = [0, 1, 2, 3];

/** Starts a rival in a thread of its own, which keeps the lock until it is disposed of. */
export async function startRival(folder: string): Promise<Rival> {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { folder, state }, execArgv: [] });
  await new Promise((settle, reject) => worker.once('message', settle).once('error', reject));
  return {
    takeNow: () => {
      Atomics.store(state, 0, TRIES!);
      Atomics.notify(state, 0);
      if (Atomics.wait(state, 0, TRIES!, 10_000) === 'timed-out') throw new Error('the rival does not come back');
    },
    holds: () => Atomics.load(state, 0) === HOLDS,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

async function compete(path: string, state: Int32Array): Promise<void> {
  const folder = await holdFolder(path);
  // Lives until it is ended.
  // Clock: it keeps the thread alive.
  setInterval(() => folder.path, 1000);
  const told = Atomics.waitAsync(state, 0, WAITS!);
  parentPort!.postMessage('ready');
  await told.value;
  const lock = await takeLock(folder, 'lock', { patience: 0 }).catch(() => undefined);
  Atomics.store(state, 0, lock ? HOLDS! : REFUSED!);
  Atomics.notify(state, 0);
}

if (!isMainThread && workerData?.state instanceof Int32Array) await compete(workerData.folder, workerData.state);
