/** Threads that read, hash and write content. */

export {
  /** Returns how many threads to start beside this one, where this one takes part in the work. */
  besides,
  /** Threads that run jobs. */
  type Crew,
  /** Returns how many threads `wanted` stands for: undefined is one for each core, up to 4. */
  crewSize,
  /** Starts threads. */
  hire,
  /** Returns whether `bytes` are enough for threads. */
  isWorthwhile,
} from './crew.ts';
export type {
  /** Content to be read from a file, checked, and written to where it belongs. */
  Job,
  /** How a job ended. */
  Verdict,
} from './job.ts';
export {
  /** Makes the error that a verdict stands for. */
  failureOf,
  /** How jobs are run. */
  type JobRunOptions,
  /** Content of a file is not what its digest names. */
  MismatchError,
  /** Runs jobs in parallel worker threads, each of which holds 1 MiB. */
  runJobs,
} from './run.ts';
export {
  /** Runs a WebAssembly program in a thread of its own, between two files. */
  runWasm,
} from './wasm-program.ts';
