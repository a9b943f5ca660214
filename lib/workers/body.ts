// What a worker thread runs. It answers each batch of jobs with their verdicts, and works them off one after another:
// system calls that wait are no harm here, and are faster than those that do not.
import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { algorithmOf, type Digest, hexOf } from '../../formats/digest.ts';
import type { Batch, Job, Report, Setup, Verdict } from './job.ts';
import { alignedMemory, BLOCK, type Output, openOutput } from './output.ts';

/** Bytes that are read, hashed and written at once: all that a worker holds. */
const CHUNK = 1024 * 1024;

/** Bytes after which a worker tells how far it is. */
const TOLD = 8 * 1024 * 1024;

const memory = alignedMemory(CHUNK);
const zeros = Buffer.alloc(CHUNK);
const port = parentPort!;
const tell = (report: Report): void => port.postMessage(report);
let setup: Setup = { target: undefined, holes: false, direct: false };
let output: Output | undefined;

port.on('message', (batch: Batch) => {
  if (batch.setup.target !== setup.target) {
    output?.close();
    output = undefined;
  }
  setup = batch.setup;
  tell({ kind: 'batch', verdicts: batch.jobs.map(work) });
});

class TargetError extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  }
}

function work(job: Job): Verdict {
  let count = 0;
  const onBytes = (more: number): void => {
    count += more;
    tell({ kind: 'bytes', count: more });
  };
  let verdict: Verdict;
  try {
    verdict = read(job, onBytes);
  } catch (error) {
    const { code, message } = error as TargetError;
    verdict = error instanceof TargetError ? { kind: 'unwritten', code, message } : { kind: 'unread' };
  }
  if (verdict.kind === 'unread' && count > 0) tell({ kind: 'bytes', count: -count });
  return verdict;
}

/** Reads, hashes and writes the bytes of a job. */
function read(job: Job, onBytes: (count: number) => void): Verdict {
  // A named pipe would be waited for without end.
  const file = job.descriptor ?? openSync(job.from.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return { kind: 'unread' };
    const there = job.from.size ?? Number(before.size) - job.from.offset;
    if (there !== job.size) return { kind: 'size', found: there, changed: false };
    const hash = createHash(algorithmOf(job.digest));
    let done = 0;
    let told = 0;
    while (done < job.size) {
      // What is read lies between two blocks as it will in the target.
      const start = ((job.to[0] ?? 0) + done) % BLOCK;
      const count = readSync(file, memory, start, Math.min(CHUNK - start, job.size - done), job.from.offset + done);
      if (count === 0) return { kind: 'size', found: done, changed: changed(file, before) };
      hash.update(memory.subarray(start, start + count));
      write(start, count, job.to, done);
      done += count;
      if (done - told >= TOLD) {
        onBytes(done - told);
        told = done;
      }
    }
    onBytes(done - told);
    const hex = hash.digest('hex');
    if (hex === hexOf(job.digest)) return { kind: 'done' };
    const found: Digest = `${algorithmOf(job.digest)}:${hex}`;
    return { kind: 'digest', found, changed: changed(file, before) };
  } finally {
    if (job.descriptor === undefined) closeSync(file);
  }
}

/** Writes what is in memory to its places, `done` bytes after their beginnings. */
function write(start: number, count: number, places: readonly number[], done: number): void {
  if (places.length === 0) return;
  if (setup.holes && zeros.subarray(0, count).equals(memory.subarray(start, start + count))) return;
  try {
    output ??= openOutput(setup.target!, setup.direct);
    for (const place of places) output.write(memory, start, count, place + done);
  } catch (error) {
    throw new TargetError(error);
  }
}

function changed(file: number, before: BigIntStats): boolean {
  const { size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
  return size !== before.size || mtimeNs !== before.mtimeNs || ctimeNs !== before.ctimeNs;
}
