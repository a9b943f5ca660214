import { basename } from 'node:path';
import { sizeWords } from '../../../formats/size-words.ts';
import { createFile, type PendingFile, partialPath, reopenFile } from '../../kernel/files/index.ts';
import { requireFits } from '../../kernel/machine/index.ts';
import type { Crew } from '../../kernel/workers/index.ts';
import { type ArchiveWriter, fillTarget } from './archive-writer.ts';
import type { Carrier } from './carrier.ts';
import type { Catalog } from './catalog.ts';
import { beginJournal, dropJournal, type ResumedPart } from './journal.ts';
import {
  layoutDigest,
  type Piece,
  type Places,
  piecesOf,
  placesOf,
  planArchive,
  planSigned,
  type SlotBundles,
} from './plan.ts';
import { findKept } from './resume.ts';

/** How an archive is written. */
export interface WriteOptions extends SlotBundles {
  /** Continues with what an earlier run left, and leaves what was written where this one fails. */
  readonly resume?: boolean | undefined;
  /** Whether `commit` waits until the disk has the archive; true unless it is said. */
  readonly sync?: boolean | undefined;
  /** Threads that files are copied in; undefined is one for each core where there is enough to copy. */
  readonly workers?: number | undefined;
  /** Threads that were started beforehand, for that. */
  readonly crew?: Crew | undefined;
  readonly signal?: AbortSignal;
  /** Learns what became of an earlier run. */
  readonly onNotice?: (message: string) => void;
}

/**
 * Begins the archive of `catalog` at `path`, with everything written but its blobs, which are then pushed in any
 * order. Nothing is seen at `path` before `commit`: bytes go to `path.partial`, and `path.partial.journal` says which
 * of them are in place. Throws `disk-full`, `output-unwritable`, `archive-limit`.
 */
export async function beginArchive(
  path: string,
  catalog: Catalog,
  carrier: Carrier,
  options: WriteOptions = {},
): Promise<ArchiveWriter> {
  const planned = planSigned(catalog, carrier, options);
  // Who signs once more has another signature, and continues with the same contents all the same.
  const identity = layoutDigest(carrier.listsSignatures ? planArchive(catalog, carrier) : planned);
  const places = placesOf(planned);
  const { workers, crew, signal = new AbortController().signal, onNotice = () => undefined } = options;
  const left = options.resume ? await reopenFile(path) : undefined;
  const name = basename(path);
  let kept: ResumedPart | undefined;
  let file: PendingFile;
  try {
    const whole = { identity, size: planned.layout.size };
    kept = left && (await findKept(left, name, whole, places, { signal, workers, crew }));
    if (options.resume) onNotice(kept ? describe(kept, places) : nothingKept(path, left !== undefined));
    file = kept && left ? left : await createFile(path);
  } finally {
    if (!kept) await left?.leave();
  }
  try {
    await requireFits(path, planned.layout.size, kept?.allocated);
    if (!kept) {
      await dropJournal(file.folder, name);
      await file.resize(planned.layout.size);
    }
    const fresh = kept === undefined;
    const write = (kind: 'slot' | 'bytes'): Promise<void> => writeKnown(file, piecesOf(planned, options), kind, fresh);
    // Whoever is to sign may refuse.
    await write('slot');
    const journal = await beginJournal(file.folder, name, identity, kept);
    // Threads copy contents meanwhile.
    const known = write('bytes');
    known.catch(() => undefined);
    return fillTarget({ path, size: planned.layout.size, places, kept, file, journal, known }, options);
  } catch (error) {
    await (kept ? file.leave() : file.discard());
    throw error;
  }
}

function nothingKept(path: string, isLeft: boolean): string {
  const why = isLeft ? `${partialPath(path)} is not the beginning of this archive` : 'there is nothing to continue';
  return `${why}; it is written from the start`;
}

function describe({ safe, loose, begun }: ResumedPart, places: Places): string {
  const whole = [...safe, ...loose].map((digest) => places.get(digest)?.size ?? 0);
  const bytes = [...whole, ...begun.values()].reduce((sum, size) => sum + size, 0);
  return `continues: ${whole.length} of ${places.size} contents are there, ${sizeWords(bytes)}`;
}

/** Writes all pieces of one kind that are known; of a file that is new, zeros are there already. */
async function writeKnown(
  file: PendingFile,
  pieces: Iterable<Piece>,
  kind: 'slot' | 'bytes',
  fresh: boolean,
): Promise<void> {
  for (const piece of pieces) {
    if (piece.kind === 'blob' || piece.kind !== kind) continue;
    const bytes = await piece.bytes();
    if (!fresh || !isZero(bytes)) await file.write(bytes, piece.offset);
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
