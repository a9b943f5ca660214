import type { Digest } from '../../../formats/digest.ts';
import type { MetaSegment, Segment } from '../../../formats/segments.ts';
import type { Extent } from '../../../formats/tree.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { type CarrierFile, isAsKnown, type KnownContent } from '../../parts/archives/index.ts';
import { compareBlobs, type Reading } from './blobs.ts';
import type { PlacedBlob } from './hash-blobs.ts';

/** Compares pieces of an archive with what the root makes of them. */
export interface Comparison extends Reading {
  readonly files: readonly CarrierFile[];
  /** Bytes that may differ. */
  readonly exempt: readonly Extent[];
  /** Blobs that are left to whoever reads them afterwards. */
  readonly later?: ReadonlySet<Digest> | undefined;
}

/**
 * Finds what is wrong with each of `segments`: compares every byte that is not a blob's, and hashes blobs where they
 * lie.
 */
export async function* compareSegments(segments: Iterable<Segment>, comparison: Comparison): AsyncGenerator<Finding> {
  const byKey = new Map(comparison.files.map((file) => [file.key, file]));
  const own = new AbortController();
  const signal = AbortSignal.any([comparison.signal, own.signal]);
  const hash = (): Promise<Finding[]> => compareBlobs(blobsOf(segments, byKey, comparison), { ...comparison, signal });
  // Threads have nothing else to do meanwhile; over a network one thing is asked for after the other.
  const hashing = comparison.file.descriptor === undefined ? undefined : hash();
  hashing?.catch(() => undefined);
  try {
    for (const segment of segments) {
      signal.throwIfAborted();
      if (!isWithin(segment, comparison)) break;
      const finding = await compareKnown(segment, byKey, comparison);
      if (finding) yield finding;
    }
    yield* await (hashing ?? hash());
  } finally {
    own.abort();
    await hashing?.catch(() => undefined);
  }
}

/** Lists the blobs that are hashed now, with their places. */
function blobsOf(
  segments: Iterable<Segment>,
  byKey: ReadonlyMap<string, CarrierFile>,
  comparison: Comparison,
): PlacedBlob[] {
  const blobs: PlacedBlob[] = [];
  for (const segment of segments) {
    if (!isWithin(segment, comparison)) break;
    if (segment.kind === 'meta') continue;
    const content = byKey.get(segment.key)?.content;
    if (content?.kind !== 'blob') continue;
    const { offset, size } = segment;
    const { digest } = content.descriptor;
    if (!comparison.later?.has(digest)) blobs.push({ digest, offset, size });
  }
  return blobs;
}

function isWithin({ offset, size }: Segment, { file }: Comparison): boolean {
  return offset + size <= file.size;
}

/** Compares a segment whose bytes are known. */
async function compareKnown(
  segment: Segment,
  byKey: ReadonlyMap<string, CarrierFile>,
  comparison: Comparison,
): Promise<Finding | undefined> {
  if (segment.kind === 'meta') {
    return compareBytes(segment.offset, { kind: 'bytes', bytes: segment.bytes() }, segment, comparison);
  }
  const file = byKey.get(segment.key);
  if (file?.content.kind !== 'bytes') return undefined;
  return compareBytes(segment.offset, file.content, { name: file.path }, comparison);
}

async function compareBytes(
  offset: number,
  known: KnownContent,
  { name, fieldAt }: Pick<MetaSegment, 'name' | 'fieldAt'>,
  { file, exempt, onBytes }: Comparison,
): Promise<Finding | undefined> {
  const expected = known.bytes;
  const read = await file.read(offset, expected.length);
  onBytes(expected.length);
  const found = exempt.some((area) => overlap(area, offset, expected)) ? Buffer.from(read) : read;
  for (const area of exempt) {
    const [from, to] = overlap(area, offset, expected) ?? [0, 0];
    found.set(expected.subarray(from, to), from);
  }
  if (isAsKnown(found, known)) return undefined;
  const at = firstDifference(expected, found);
  const { structure, field } = fieldAt?.(at) ?? { structure: name, field: undefined };
  const what = field === undefined ? 'differs' : `its ${field} differs`;
  const message = `${what} from what the root makes of it, first at byte ${offset + at}`;
  return { code: 'structure-mismatch', subject: structure, message };
}

/**
 * Finds the first byte in which two runs of one length differ, as they do. It halves them, because runs are compared at
 * once.
 */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let [from, to] = [0, a.length];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (Buffer.compare(a.subarray(from, middle), b.subarray(from, middle)) === 0) from = middle;
    else to = middle;
  }
  return from;
}

/**
 * Returns which part of `bytes`, which lie at `offset`, is in `area`: from where and to where; undefined where none is.
 */
function overlap(area: Extent, offset: number, bytes: Uint8Array): [from: number, to: number] | undefined {
  const from = Math.max(area.offset, offset) - offset;
  const to = Math.min(area.offset + area.size, offset + bytes.length) - offset;
  return from < to ? [from, to] : undefined;
}
