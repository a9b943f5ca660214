import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Digest } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import { pool } from '../flow.ts';
import { unwritable } from '../host.ts';
import { batchesOf, type Job, type Report, type Setup, type Verdict } from './job.ts';

/** Workers at most: more than this many never helped a disk. */
const MOST = 8;

/** How jobs are run. */
export interface RunOptions extends Setup {
  /** Threads to work with; undefined is one for each core, up to 8. */
  readonly workers: number | undefined;
  readonly signal: AbortSignal;
  /** Is told of bytes that were worked off; of a negative count where a file could not be read to its end. */
  readonly onBytes: (count: number) => void;
  /** Is told how each job ended; what it throws ends all. */
  readonly onVerdict: (job: Job, verdict: Verdict) => void;
}

/** Content of a file is not what its digest names. */
export class MismatchError extends Error {
  readonly digest: Digest;
  override readonly cause: FormatError;

  constructor(digest: Digest, cause: FormatError) {
    super(cause.message, { cause });
    this.digest = digest;
    this.cause = cause;
  }
}

/**
 * Runs jobs in parallel worker threads, each of which holds 256 KiB. All of them have ended when this returns or throws.
 */
export async function runJobs(jobs: readonly Job[], options: RunOptions): Promise<void> {
  const batches = batchesOf(jobs);
  const limit = Math.min(batches.length, options.workers ?? Math.min(MOST, availableParallelism()));
  if (limit === 0) return;
  const waiting = batches.values();
  const { signal } = options;
  await pool(Array.from({ length: limit }), { limit, signal }, (_, own) => drive(waiting, options, own));
}

/** Starts one worker and feeds it until no batch is left. */
async function drive(
  waiting: Iterator<readonly Job[]>,
  { target, holes, onBytes, onVerdict }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const setup: Setup = { target, holes };
  const worker = new Worker(new URL('./body.ts', import.meta.url), { workerData: setup, execArgv: [] });
  const abort = new AbortController();
  try {
    await new Promise<void>((settle, reject) => {
      let batch: readonly Job[] = [];
      const next = (): void => {
        const following = waiting.next();
        batch = following.done ? [] : following.value;
        if (following.done) settle();
        else worker.postMessage(batch);
      };
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`a worker thread ended with ${code}`)));
      worker.on('message', (report: Report) => {
        try {
          if (report.kind === 'bytes') return onBytes(report.count);
          for (const [at, verdict] of report.verdicts.entries()) onVerdict(batch[at]!, verdict);
          next();
        } catch (error) {
          reject(error);
        }
      });
      signal.addEventListener('abort', () => reject(signal.reason), { signal: abort.signal });
      if (signal.aborted) reject(signal.reason);
      else next();
    });
  } finally {
    abort.abort();
    await worker.terminate();
  }
}

/**
 * The error that a verdict stands for: `MismatchError` where content is not what its digest names, `output-unwritable`
 * or `disk-full`, about `target`, where it cannot be written.
 */
export function failureOf(job: Job, verdict: Exclude<Verdict, { kind: 'done' | 'unread' }>, target: string): unknown {
  if (verdict.kind === 'unwritten') {
    const error = Object.assign(new Error(verdict.message), verdict.code === undefined ? {} : { code: verdict.code });
    return unwritable(target, error);
  }
  const changed = verdict.changed ? `; ${job.from.path} was written to meanwhile` : '';
  if (verdict.kind === 'digest') {
    const message = `expected ${job.digest}, found ${verdict.found}${changed}`;
    return new MismatchError(job.digest, new FormatError('digest-mismatch', message));
  }
  const has = verdict.found > job.size ? 'but there are more' : `but has ${verdict.found}`;
  const message = `${job.digest} should have ${job.size} bytes, ${has}${changed}`;
  return new MismatchError(job.digest, new FormatError('size-mismatch', message));
}
