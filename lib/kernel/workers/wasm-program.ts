import { Worker } from 'node:worker_threads';
import { WASM_PAGE, withMemoryLimit } from '../../../formats/wasm-memory.ts';
import type { WasmJob, WasmReport } from './wasm-job.ts';

/** Memory that a program may have, in bytes. */
const MEMORY = 256 * 1024 * 1024;

/** How long a program may take: at least so many milliseconds, and more for each MiB that it reads or writes. */
const time = { least: 60_000, perMebibyte: 4000 } as const;

/** How a program is run. */
export interface WasmOptions {
  readonly signal: AbortSignal;
  /** Bytes that it reads and writes, which say how long it may take. */
  readonly size: number;
  /** Milliseconds that it may take in any case. */
  readonly patience?: number | undefined;
}

/**
 * Runs a WebAssembly program in a thread of its own, between two files. It can reach nothing else, and is ended if it
 * takes too long. Throws `FormatError` `encoder-invalid` for what is no such program, and the reason of the signal.
 */
export async function runWasm(job: WasmJob, { signal, size, patience = time.least }: WasmOptions): Promise<WasmReport> {
  const module = withMemoryLimit(job.module, MEMORY / WASM_PAGE);
  const worker = new Worker(new URL('./wasm-body.ts', import.meta.url), { execArgv: [], env: {} });
  const limit = patience + (size / 2 ** 20) * time.perMebibyte;
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<WasmReport>((done, fail) => {
      const failed = (message: string): void => done({ kind: 'failed', message });
      timer = setTimeout(() => failed(`it had not ended after ${Math.round(limit / 1000)} s`), limit);
      abort = () => fail(signal.reason);
      signal.addEventListener('abort', abort);
      worker.once('message', done);
      worker.once('error', (error) => failed(error.message));
      worker.once('exit', () => failed('its thread ended'));
      if (signal.aborted) fail(signal.reason);
      else worker.postMessage({ ...job, module });
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
