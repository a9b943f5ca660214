import { Worker } from 'node:worker_threads';
import { WASM_PAGE, withMemoryLimit } from '../../../formats/wasm-memory.ts';
import type { WasmJob, WasmReport, WatchedJob } from './wasm-job.ts';

/** Memory that a program may have, in bytes. */
const MEMORY = 256 * 1024 * 1024;

/**
 * How long a program may take: so many seconds until it reads or writes the next byte, and in all at least so many
 * milliseconds, and more for each MiB that it reads or writes.
 */
const time = { idle: 4, least: 60_000, perMebibyte: 4000 } as const;

/** How a program is run. */
export interface WasmOptions {
  readonly signal: AbortSignal;
  /** Bytes that it reads and writes, which say how long it may take. */
  readonly size: number;
  /** Seconds that it may take until it reads or writes the next byte. Left out: 4. */
  readonly patience?: number | undefined;
}

/**
 * Runs a WebAssembly program in a thread of its own, between two files. It can reach nothing else, and is ended if it
 * takes too long, or neither reads nor writes. Throws `FormatError` `encoder-invalid` for what is no such program, and
 * the reason of the signal.
 */
export async function runWasm(job: WasmJob, { signal, size, patience = time.idle }: WasmOptions): Promise<WasmReport> {
  const module = withMemoryLimit(job.module, MEMORY / WASM_PAGE);
  const worker = new Worker(new URL('./wasm-body.ts', import.meta.url), { execArgv: [], env: {} });
  const limit = time.least + (size / 2 ** 20) * time.perMebibyte;
  const progress = new SharedArrayBuffer(8);
  const timers: NodeJS.Timeout[] = [];
  let abort: (() => void) | undefined;
  try {
    return await new Promise<WasmReport>((done, fail) => {
      const failed = (message: string): void => done({ kind: 'failed', message });
      timers.push(setTimeout(() => failed(`it had not ended after ${Math.round(limit / 1000)} s`), limit));
      const idle = idleSeconds(progress);
      timers.push(
        setInterval(() => {
          if (idle() >= patience) failed(`it has read and written nothing for ${patience} s`);
        }, 1000),
      );
      abort = () => fail(signal.reason);
      signal.addEventListener('abort', abort);
      worker.once('message', done);
      worker.once('error', (error) => failed(error.message));
      worker.once('exit', () => failed('its thread ended'));
      if (signal.aborted) fail(signal.reason);
      else worker.postMessage({ ...job, module, progress } satisfies WatchedJob);
    });
  } finally {
    for (const timer of timers) clearInterval(timer);
    if (abort) signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

/**
 * Returns a function that counts how often in succession it was called without progress since; before the program
 * begins, there is none. It is called once a second: so the time that a machine sleeps does not count.
 */
function idleSeconds(progress: SharedArrayBuffer): () => number {
  const bytes = new BigInt64Array(progress);
  let last = -1n;
  let idle = 0;
  return () => {
    const now = Atomics.load(bytes, 0);
    idle = now === last && now > 0n ? idle + 1 : 0;
    last = now;
    return idle;
  };
}
