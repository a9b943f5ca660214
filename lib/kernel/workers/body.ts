// What a worker thread runs. It answers each batch of jobs with their verdicts, and works them off one after another.
import { parentPort } from 'node:worker_threads';
import type { Batch, Job, Report, Setup, Verdict } from './job.ts';
import { alignedMemory, type Output, openOutput } from './output.ts';
import { CHUNK, readJob, TargetError } from './read.ts';

/** Bytes after which a worker says how far it is. */
const REPORT_SIZE = 8 * 1024 * 1024;

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

function work(job: Job): Verdict {
  const pieces = readJob(job, memory, (start, count, done) => write(start, count, job.to, done));
  let unreported = 0;
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (!piece.done) unreported += piece.value;
    if (unreported !== 0 && (piece.done || unreported >= REPORT_SIZE)) {
      tell({ kind: 'bytes', count: unreported });
      unreported = 0;
    }
    if (piece.done) return piece.value;
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
