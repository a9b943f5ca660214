import { createHash } from 'node:crypto';
import { ahead, slice } from '../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import type { OpenFile } from '../host.ts';
import type { Finding } from '../model.ts';
import type { Crew } from '../workers/crew.ts';
import type { Job, Verdict } from '../workers/job.ts';
import { runJobs } from '../workers/run.ts';

/** How much is read at once. */
const CHUNK = 1024 * 1024;

/** Bytes below which starting threads takes longer than hashing. */
const WORTHWHILE = 16 * 1024 * 1024;

/** A blob, and where it lies in an archive. */
export interface PlacedBlob {
  readonly digest: Digest;
  readonly offset: number;
  readonly size: number;
  /** The file that it is the content of, where its place says nothing to anybody. */
  readonly path?: string;
}

/** How blobs are read. */
export interface Reading {
  readonly file: OpenFile;
  /** Threads that were started beforehand. */
  readonly crew?: Crew | undefined;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/** Hashes blobs where they lie, in parallel where they are on this machine, and tells of those that are others. */
export async function compareBlobs(blobs: readonly PlacedBlob[], reading: Reading): Promise<Finding[]> {
  const total = blobs.reduce((sum, { size }) => sum + size, 0);
  const { file } = reading;
  const findings = new Map<PlacedBlob, Finding>();
  const left = file.descriptor === undefined || total < WORTHWHILE ? blobs : await inWorkers(blobs, reading, findings);
  for (const blob of left) {
    const finding = await compareBlob(blob, reading);
    if (finding) findings.set(blob, finding);
  }
  return blobs.flatMap((blob) => findings.get(blob) ?? []);
}

/** Returns the blobs that could not be read: who reads them here is told why. */
async function inWorkers(
  blobs: readonly PlacedBlob[],
  { file, crew, signal, onBytes }: Reading,
  findings: Map<PlacedBlob, Finding>,
): Promise<PlacedBlob[]> {
  const { path, descriptor } = file;
  const unread: PlacedBlob[] = [];
  const jobs = new Map(
    blobs.map((blob): [Job, PlacedBlob] => {
      const { digest, offset, size } = blob;
      return [{ digest, size, from: { path, offset, size }, descriptor, to: [] }, blob];
    }),
  );
  const onVerdict = (job: Job, verdict: Verdict): void => {
    const blob = jobs.get(job)!;
    if (verdict.kind === 'digest') findings.set(blob, mismatch(blob, verdict.found));
    else if (verdict.kind !== 'done') unread.push(blob);
  };
  const options = {
    target: undefined,
    holes: false,
    direct: false,
    workers: undefined,
    crew,
    signal,
    onBytes,
    onVerdict,
  };
  await runJobs([...jobs.keys()], options);
  return unread;
}

async function compareBlob(blob: PlacedBlob, { file, signal, onBytes }: Reading): Promise<Finding | undefined> {
  const { digest, offset, size } = blob;
  const hash = createHash(algorithmOf(digest));
  try {
    for await (const chunk of ahead(slice(file, offset, size, CHUNK))) {
      signal.throwIfAborted();
      hash.update(chunk);
      onBytes(chunk.length);
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { code: 'truncated', subject: blob.path ?? digest, message: error.message };
  }
  const found = hash.digest('hex');
  return found === hexOf(digest) ? undefined : mismatch(blob, `${algorithmOf(digest)}:${found}`);
}

function mismatch({ digest, offset, size, path }: PlacedBlob, found: Digest): Finding {
  if (path !== undefined) {
    return { code: 'blob-mismatch', subject: path, message: `has the digest ${found} instead of ${digest}` };
  }
  return { code: 'blob-mismatch', subject: digest, message: `${size} bytes at ${offset} have the digest ${found}` };
}
