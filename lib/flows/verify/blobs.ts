import { createHash } from 'node:crypto';
import { ahead, slice } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest, digestOf, hexOf } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { OpenFile } from '../../kernel/files/index.ts';
import { isWorthwhile } from '../../kernel/workers/index.ts';
import {
  beginHashing,
  type Hashing,
  isSmall,
  type PlacedBlob,
  placeOf,
  type Underway,
  type Verdicts,
} from './hash-blobs.ts';

/** How much is read at once. */
const CHUNK = 1024 * 1024;

/** Bytes between two blobs that are read with them rather than asked for apart. */
const GAP = 4096;

/** How blobs are read. */
export interface Reading extends Hashing {
  readonly file: OpenFile;
  /** What was hashed before, or is being hashed by the same threads. */
  readonly early?: Underway | undefined;
}

/** Hashes blobs where they lie, in parallel where they are on this machine, and reports those that are others. */
export async function compareBlobs(blobs: readonly PlacedBlob[], reading: Reading): Promise<Finding[]> {
  const findings = new Map<PlacedBlob, Finding>();
  const memory = Buffer.allocUnsafe(CHUNK);
  const unread: PlacedBlob[] = [];
  for (const run of runsOf(blobs.filter(isSmall))) unread.push(...(await compareRun(run, memory, reading, findings)));
  const large = blobs.filter((blob) => !isSmall(blob));
  let left = settled(large, (await reading.early?.finish()) ?? new Map(), findings);
  const { path, descriptor } = reading.file;
  const total = totalSize(left);
  if (descriptor !== undefined && isWorthwhile(total, undefined)) {
    left = settled(left, await beginHashing(left, { path, descriptor }, reading).finish(), findings);
  }
  for (const blob of [...unread, ...left]) {
    const finding = await compareBlob(blob, reading);
    if (finding) findings.set(blob, finding);
  }
  return blobs.flatMap((blob) => findings.get(blob) ?? []);
}

/** Takes over what verdicts say of blobs; returns the blobs that they do not report: the reader here reports why. */
function settled(
  blobs: readonly PlacedBlob[],
  verdicts: Verdicts,
  findings: Map<PlacedBlob, Finding>,
): readonly PlacedBlob[] {
  return blobs.filter((blob) => {
    const verdict = verdicts.get(placeOf(blob));
    if (verdict?.kind === 'digest') findings.set(blob, mismatch(blob, verdict.found));
    return verdict?.kind !== 'digest' && verdict?.kind !== 'done';
  });
}

/** Blobs that lie next to each other, or nearly so, and are read at once. */
interface Run {
  readonly offset: number;
  readonly end: number;
  readonly blobs: readonly PlacedBlob[];
}

/** Shares small blobs out into runs of up to `CHUNK` bytes, in the order of their places. */
function* runsOf(blobs: readonly PlacedBlob[]): Generator<Run> {
  const [first, ...others] = [...blobs].sort((a, b) => a.offset - b.offset);
  if (!first) return;
  const begun = (blob: PlacedBlob) => ({ offset: blob.offset, end: blob.offset + blob.size, blobs: [blob] });
  let run = begun(first);
  for (const blob of others) {
    const end = Math.max(run.end, blob.offset + blob.size);
    if (blob.offset - run.end < GAP && end - run.offset <= CHUNK) {
      run.blobs.push(blob);
      run.end = end;
    } else {
      yield run;
      run = begun(blob);
    }
  }
  yield run;
}

/** Hashes the blobs of a run, which is read into `memory`; returns them where it cannot be read whole. */
async function compareRun(
  { offset, end, blobs }: Run,
  memory: Uint8Array,
  reading: Reading,
  findings: Map<PlacedBlob, Finding>,
): Promise<readonly PlacedBlob[]> {
  reading.signal.throwIfAborted();
  let bytes: Uint8Array;
  try {
    bytes = await reading.file.read(offset, end - offset, memory);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return blobs;
  }
  for (const blob of blobs) {
    const start = blob.offset - offset;
    const found = digestOf(bytes.subarray(start, start + blob.size), algorithmOf(blob.digest));
    if (found !== blob.digest) findings.set(blob, mismatch(blob, found));
  }
  reading.onBytes(totalSize(blobs));
  return [];
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
  return {
    code: 'blob-mismatch',
    subject: digest,
    message: `the ${sizeWords(size)} at byte ${offset} have the digest ${found}`,
  };
}
