import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizePair, sizeWords } from '../../../formats/size-words.ts';
import { pool, unwritable } from '../events/index.ts';
import { type Crew, crewSize, hire } from './crew.ts';
import { type Batch, batchesOf, type Job, type Report, type Setup, type Verdict } from './job.ts';
import { alignedMemory } from './output.ts';
import { bytesOfBatch, type Queue, queueOf } from './queue.ts';
import { CHUNK, readJob } from './read.ts';

/** How jobs are run. */
export interface JobRunOptions extends Setup {
  /** Threads to work with; undefined is one for each core, up to 4. */
  readonly workers: number | undefined;
  /** Threads that were started beforehand, which then count instead. They have ended where this throws. */
  readonly crew?: Crew | undefined;
  /**
   * Resolves once this thread has nothing else to do, and takes part from then on: in jobs that write nothing. Where it
   * does not resolve, the others do all of them.
   */
  readonly idle?: Promise<void> | undefined;
  readonly signal: AbortSignal;
  /**
   * Gets bytes that were worked off. A negative count takes bytes back: their file could not be read to its end.
   */
  readonly onBytes: (count: number) => void;
  /** Learns how each job ended. If it throws, all jobs end. */
  readonly onVerdict: (job: Job, verdict: Verdict) => void;
}

/** Bytes after which this thread lets other things happen, while it takes part: a few milliseconds of work. */
const PAUSE = 8 * 1024 * 1024;

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

/** Runs jobs in parallel worker threads, each of which holds 1 MiB. No job is under way when this returns or throws. */
export async function runJobs(jobs: readonly Job[], options: JobRunOptions): Promise<void> {
  const batches = batchesOf(jobs);
  if (batches.length === 0) return;
  const crew = options.crew ?? hire(Math.min(batches.length, crewSize(options.workers)));
  const { idle, signal } = options;
  const queue = queueOf(batches, crew.workers.length + (idle ? 1 : 0));
  const takers = crew.workers.map((worker) => (own: AbortSignal) => drive(worker, queue, options, own));
  if (idle) takers.push((own) => takePart(idle, queue, options, own));
  let well = false;
  try {
    await pool(takers, { limit: takers.length, signal }, (taker, own) => taker(own));
    well = true;
  } finally {
    if (!well || crew !== options.crew) await crew[Symbol.asyncDispose]();
  }
}

/** Works off jobs in this thread once it is idle. Every few milliseconds it lets other things happen. */
async function takePart(
  idle: Promise<void>,
  queue: Queue,
  { onBytes, onVerdict }: JobRunOptions,
  signal: AbortSignal,
): Promise<void> {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => abort(), { once: true });
  await Promise.race([idle, queue.empty, aborted]);
  signal.throwIfAborted();
  let memory: Buffer | undefined;
  const pause = async (): Promise<void> => {
    await turn();
    signal.throwIfAborted();
  };
  for (let jobs = queue.take(0); jobs; jobs = queue.take(0)) {
    memory ??= alignedMemory(CHUNK);
    for (const job of jobs) {
      const pieces = readJob(job, memory);
      try {
        let piece = pieces.next();
        for (let read = 0; !piece.done; piece = pieces.next()) {
          onBytes(piece.value);
          read += piece.value;
          if (read < PAUSE) continue;
          await pause();
          read = 0;
        }
        onVerdict(job, piece.value);
      } finally {
        pieces.return({ kind: 'unread' });
      }
      await pause();
    }
  }
}

/** Feeds a worker until no batch is left. Batches are sent ahead, so that the worker never waits for this thread. */
async function drive(
  worker: Worker,
  queue: Queue,
  { target, holes, direct, onBytes, onVerdict }: JobRunOptions,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent: (readonly Job[])[] = [];
  let underway = 0;
  const feed = (): void => {
    for (let jobs = queue.take(underway); jobs; jobs = queue.take(underway)) {
      worker.postMessage({ setup: { target, holes, direct }, jobs } satisfies Batch);
      sent.push(jobs);
      underway += bytesOfBatch(jobs);
    }
    if (sent.length === 0) resolve();
  };
  const hear = (report: Report): void => {
    try {
      if (report.kind === 'bytes') onBytes(report.count);
      if (report.kind !== 'batch') return;
      const jobs = sent.shift()!;
      underway -= bytesOfBatch(jobs);
      for (const [at, verdict] of report.verdicts.entries()) onVerdict(jobs[at]!, verdict);
      feed();
    } catch (error) {
      reject(error);
    }
  };
  const exited = (): void => reject(new Error('a worker thread ended before its work'));
  const stop = (): void => reject(signal.reason);
  worker.ref();
  worker.on('error', reject).on('exit', exited).on('message', hear);
  signal.addEventListener('abort', stop);
  try {
    // A thread that has ended already emits no event any more.
    if (worker.threadId < 0) exited();
    else if (signal.aborted) stop();
    else feed();
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    worker.off('error', reject).off('exit', exited).off('message', hear);
    worker.unref();
  }
}

/**
 * Makes the error that a verdict stands for: `MismatchError` where content is not what its digest names,
 * `output-unwritable` or `disk-full`, about `target`, where it cannot be written.
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
  const [wanted, found] = sizePair(job.size, verdict.found);
  const message =
    verdict.found > job.size
      ? `${job.digest} should have ${sizeWords(job.size)}, but there are more${changed}`
      : `${job.digest} should have ${wanted}, but has ${found}${changed}`;
  return new MismatchError(job.digest, new FormatError('size-mismatch', message));
}
