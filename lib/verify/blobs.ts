import { createHash } from 'node:crypto';
import { ahead, slice } from '../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import type { OpenFile } from '../host.ts';
import type { Finding } from '../model.ts';
import { isWorthwhile } from '../workers/crew.ts';
import { type Hashing, hashInThreads, type PlacedBlob, placeOf, type Verdicts } from './early.ts';

/** How much is read at once. */
const CHUNK = 1024 * 1024;

/** How blobs are read. */
export interface Reading extends Hashing {
  readonly file: OpenFile;
  /** What was hashed before, or is being hashed by the same threads. */
  readonly early?: Promise<Verdicts> | undefined;
}

/** Hashes blobs where they lie, in parallel where they are on this machine, and tells of those that are others. */
export async function compareBlobs(blobs: readonly PlacedBlob[], reading: Reading): Promise<Finding[]> {
  const findings = new Map<PlacedBlob, Finding>();
  let left = settled(blobs, (await reading.early) ?? new Map(), findings);
  const { path, descriptor } = reading.file;
  const total = left.reduce((sum, { size }) => sum + size, 0);
  if (descriptor !== undefined && isWorthwhile(total, undefined)) {
    left = settled(left, await hashInThreads(left, { path, descriptor }, reading), findings);
  }
  for (const blob of left) {
    const finding = await compareBlob(blob, reading);
    if (finding) findings.set(blob, finding);
  }
  return blobs.flatMap((blob) => findings.get(blob) ?? []);
}

/** Takes over what verdicts say of blobs; returns the blobs that they do not tell of: who reads them here is told why. */
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
