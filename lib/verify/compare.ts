import { createHash } from 'node:crypto';
import { ahead, type ReadAt, slice } from '../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import type { Segment } from '../../formats/segments.ts';
import type { Extent } from '../../formats/tree.ts';
import type { CarrierFile } from '../archives/index.ts';
import type { Finding } from '../model.ts';

/** How much is read at once. */
const CHUNK = 1024 * 1024;

/** Compares pieces of an archive with what the root makes of them. */
export interface Comparison {
  readonly file: ReadAt;
  readonly files: readonly CarrierFile[];
  /** Bytes that may differ. */
  readonly exempt: readonly Extent[];
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/** What is wrong with each of `segments`: hashes blobs where they lie, compares every other byte. */
export async function* compareSegments(segments: readonly Segment[], comparison: Comparison): AsyncGenerator<Finding> {
  const byKey = new Map(comparison.files.map((file) => [file.key, file]));
  for (const segment of segments) {
    comparison.signal.throwIfAborted();
    if (segment.offset + segment.size > comparison.file.size) return;
    if (segment.kind === 'meta') {
      const finding = await compareBytes(segment.name, segment.offset, segment.bytes(), comparison);
      if (finding) yield finding;
      continue;
    }
    const file = byKey.get(segment.key);
    if (!file || file.content.kind === 'slot') continue;
    const finding =
      file.content.kind === 'bytes'
        ? await compareBytes(file.path, segment.offset, file.content.bytes, comparison)
        : await compareBlob(file.content.descriptor.digest, segment.offset, segment.size, comparison);
    if (finding) yield finding;
  }
}

async function compareBytes(
  name: string,
  offset: number,
  expected: Uint8Array,
  { file, exempt, onBytes }: Comparison,
): Promise<Finding | undefined> {
  const found = Buffer.from(await file.read(offset, expected.length));
  onBytes(expected.length);
  for (const area of exempt) {
    const from = Math.max(area.offset, offset) - offset;
    const to = Math.min(area.offset + area.size, offset + expected.length) - offset;
    if (from < to) found.set(expected.subarray(from, to), from);
  }
  if (found.equals(expected)) return undefined;
  const at = offset + expected.findIndex((byte, index) => byte !== found[index]);
  return {
    code: 'structure-mismatch',
    subject: name,
    message: `differs from what the root makes of it, first at byte ${at}`,
  };
}

async function compareBlob(
  digest: Digest,
  offset: number,
  size: number,
  { file, signal, onBytes }: Comparison,
): Promise<Finding | undefined> {
  const hash = createHash(algorithmOf(digest));
  try {
    for await (const chunk of ahead(slice(file, offset, size, CHUNK))) {
      signal.throwIfAborted();
      hash.update(chunk);
      onBytes(chunk.length);
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { code: 'truncated', subject: digest, message: error.message };
  }
  const found = hash.digest('hex');
  if (found === hexOf(digest)) return undefined;
  const message = `${size} bytes at ${offset} have the digest ${algorithmOf(digest)}:${found}`;
  return { code: 'blob-mismatch', subject: digest, message };
}
