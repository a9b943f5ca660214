// What the thread of a WebAssembly program runs. The program has two open files, its arguments, and nothing else: no
// clock, no randomness, no other file, no network. It is stopped by ending the thread.
import { readSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { WasmJob, WasmReport, WatchedJob } from './wasm-job.ts';

/** What is used of the JavaScript interface of WebAssembly; the types of Node.js do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Record<string, object>,
  ) => { readonly exports: Record<string, unknown> };
};

/** The memory of a program. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

/** Errors of WASI preview 1, by their numbers. */
const errno = { success: 0, badFile: 8, io: 29, notImplemented: 52 } as const;

/** Bytes that are compared at once. */
const COMPARED = 256 * 1024;

/** Characters of what a program complains about that are kept, about. */
const COMPLAINT = 300;

class Ended extends Error {
  readonly report: WasmReport;

  constructor(report: WasmReport) {
    super();
    this.report = report;
  }
}

parentPort?.on('message', (job: WatchedJob) => {
  parentPort?.postMessage(run(job));
});

function run(job: WatchedJob): WasmReport {
  try {
    const module = new WebAssembly.Module(job.module);
    const files = new Files(job);
    let memory: Memory | undefined;
    const wasi = system(job, files, () => memory!);
    Atomics.add(new BigInt64Array(job.progress), 0, 1n);
    // Whatever else the module wants to import does not exist, so it cannot be started.
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
    memory = instance.exports['memory'] as Memory;
    (instance.exports['_start'] as () => void)();
    return { kind: 'done', written: files.written };
  } catch (error) {
    if (error instanceof Ended) return error.report;
    return { kind: 'failed', message: (error as Error).message };
  }
}

/** The two files of a program. */
class Files {
  readonly #job: WasmJob;
  readonly #progress: BigInt64Array;
  readonly #expected = Buffer.alloc(COMPARED);
  #read = 0;
  written = 0;

  constructor(job: WatchedJob) {
    this.#job = job;
    this.#progress = new BigInt64Array(job.progress);
  }

  read(into: Uint8Array): number {
    const count = into.length === 0 ? 0 : readSync(this.#job.input, into, 0, into.length, this.#read);
    this.#read += count;
    Atomics.add(this.#progress, 0, BigInt(count));
    return count;
  }

  write(bytes: Uint8Array): void {
    const { limit, compares, output } = this.#job;
    if (this.written + bytes.length > limit) throw new Ended({ kind: 'differs', at: limit });
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + COMPARED);
      const count = compares ? this.#compare(part) : writeSync(output, part, 0, part.length, this.written);
      at += count;
      this.written += count;
      Atomics.add(this.#progress, 0, BigInt(count));
    }
  }

  #compare(part: Uint8Array): number {
    const expected = this.#expected.subarray(0, part.length);
    const count = readSync(this.#job.output, expected, 0, part.length, this.written);
    if (count === 0 || Buffer.compare(expected.subarray(0, count), part.subarray(0, count)) !== 0) {
      throw new Ended({ kind: 'differs', at: this.written });
    }
    return count;
  }
}

/** Functions that a program imports. */
type Calls = Record<string, (...given: never[]) => number>;

/** The functions by which a program gets its arguments; it has no environment. */
function argumentCalls(
  given: readonly string[],
  view: () => DataView,
  bytes: (at: number, size: number) => Uint8Array,
): Calls {
  const words = ['encoder', ...given].map((word) => Buffer.from(`${word}\0`));
  return {
    args_sizes_get: (count: number, size: number) => {
      view().setUint32(count, words.length, true);
      view().setUint32(size, Buffer.concat(words).length, true);
      return errno.success;
    },
    args_get: (list: number, buffer: number) => {
      let at = buffer;
      for (const [index, word] of words.entries()) {
        view().setUint32(list + 4 * index, at, true);
        bytes(at, word.length).set(word);
        at += word.length;
      }
      return errno.success;
    },
    environ_sizes_get: (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return errno.success;
    },
    environ_get: () => errno.success,
  };
}

/** The functions of WASI preview 1 that a program of Go imports, as far as two files need them. */
function system(job: WasmJob, files: Files, memory: () => Memory): Calls {
  const view = (): DataView => new DataView(memory().buffer);
  const bytes = (at: number, size: number): Uint8Array => new Uint8Array(memory().buffer, at, size);
  let clock = 1n;
  let complaint = '';
  const complain = (part: Uint8Array): number => {
    if (complaint.length < COMPLAINT) complaint += Buffer.from(part).toString('latin1');
    return part.length;
  };
  const each = (list: number, count: number, use: (part: Uint8Array) => number): number => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      const part = bytes(view().getUint32(list + 8 * index, true), view().getUint32(list + 8 * index + 4, true));
      const used = use(part);
      sum += used;
      if (used < part.length) break;
    }
    return sum;
  };
  return {
    ...argumentCalls(job.arguments, view, bytes),
    clock_time_get: (_id: number, _precision: bigint, at: number) => {
      // The runtime of Go wants a clock that runs; this one counts how often it was asked.
      clock += 1000n;
      view().setBigUint64(at, clock, true);
      return errno.success;
    },
    random_get: (at: number, size: number) => {
      bytes(at, size).fill(0);
      return errno.success;
    },
    fd_read: (file: number, list: number, count: number, read: number) => {
      if (file !== 0) return errno.badFile;
      view().setUint32(
        read,
        each(list, count, (part) => files.read(part)),
        true,
      );
      return errno.success;
    },
    fd_write: (file: number, list: number, count: number, written: number) => {
      if (file === 2) {
        view().setUint32(written, each(list, count, complain), true);
        return errno.success;
      }
      if (file !== 1) return errno.badFile;
      const sum = each(list, count, (part) => {
        files.write(part);
        return part.length;
      });
      view().setUint32(written, sum, true);
      return errno.success;
    },
    fd_fdstat_get: (file: number, at: number) => {
      if (file > 2) return errno.badFile;
      // A regular file, which blocks nobody.
      bytes(at, 24).fill(0);
      view().setUint8(at, 4);
      view().setBigUint64(at + 8, 0xffff_ffffn, true);
      return errno.success;
    },
    fd_fdstat_set_flags: () => errno.success,
    fd_prestat_get: () => errno.badFile,
    fd_prestat_dir_name: () => errno.badFile,
    fd_close: () => errno.success,
    sched_yield: () => errno.success,
    // Nobody waits for anything: no event ever comes.
    poll_oneoff: () => errno.notImplemented,
    proc_exit: (code: number) => {
      if (code === 0) throw new Ended({ kind: 'done', written: files.written });
      throw new Ended({ kind: 'failed', message: complaint.trim().split('\n')[0] || `it ended with ${code}` });
    },
  };
}
