import type { Segment } from '../../formats/segments.ts';
import type { Extent } from '../../formats/tree.ts';
import type { CarrierFile } from '../archives/index.ts';
import type { OpenFile } from '../host.ts';
import type { Finding } from '../model.ts';
import { compareBlobs, type PlacedBlob } from './blobs.ts';

/** Compares pieces of an archive with what the root makes of them. */
export interface Comparison {
  readonly file: OpenFile;
  readonly files: readonly CarrierFile[];
  /** Bytes that may differ. */
  readonly exempt: readonly Extent[];
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/** What is wrong with each of `segments`: compares every byte that is not a blob's, and hashes blobs where they lie. */
export async function* compareSegments(segments: Iterable<Segment>, comparison: Comparison): AsyncGenerator<Finding> {
  const blobs: PlacedBlob[] = [];
  const byKey = new Map(comparison.files.map((file) => [file.key, file]));
  for (const segment of segments) {
    comparison.signal.throwIfAborted();
    if (segment.offset + segment.size > comparison.file.size) break;
    if (segment.kind === 'meta') {
      const finding = await compareBytes(segment.name, segment.offset, segment.bytes(), comparison);
      if (finding) yield finding;
      continue;
    }
    const file = byKey.get(segment.key);
    if (!file || file.content.kind === 'slot') continue;
    const { offset, size } = segment;
    if (file.content.kind === 'bytes') {
      const finding = await compareBytes(file.path, offset, file.content.bytes, comparison);
      if (finding) yield finding;
    } else blobs.push({ digest: file.content.descriptor.digest, offset, size });
  }
  yield* await compareBlobs(blobs, comparison);
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
