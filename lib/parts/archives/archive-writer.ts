import { type Bytes, slice } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { ContentTarget, LocatedContent, ReadContent, TakeOptions } from '../../kernel/content/index.ts';
import { openFile, type PendingFile } from '../../kernel/files/index.ts';
import { type Crew, failureOf, isWorthwhile, runJobs } from '../../kernel/workers/index.ts';
import type { Journal, ResumedPart } from './journal.ts';
import type { Places } from './plan.ts';

/** An archive in the making: a target for its blobs, each of which has its place already. */
export interface ArchiveWriter extends ContentTarget, AsyncDisposable {
  readonly size: number;
  /** Gives the archive its name, once the disk has it. Throws where a blob is missing. */
  commit(): Promise<void>;
}

/** What an archive in the making consists of. */
export interface Filling {
  readonly path: string;
  readonly size: number;
  readonly places: Places;
  /** What an earlier run left in it. */
  readonly kept: ResumedPart | undefined;
  readonly file: PendingFile;
  readonly journal: Journal;
  /** Settles when all of it that is no blob is in place. */
  readonly known: Promise<void>;
}

/** How it is filled. */
export interface FillOptions {
  readonly resume?: boolean | undefined;
  readonly sync?: boolean | undefined;
  readonly workers?: number | undefined;
  /** Threads that were started beforehand. */
  readonly crew?: Crew | undefined;
}

/** Bytes of one content after which the journal says how far it is. */
const NOTED = 16 * 1024 * 1024;

/** Bytes after which the disk is made to have them. */
const SYNCED = 512 * 1024 * 1024;

/** The target that fills an archive with its blobs. */
export function fillTarget(filling: Filling, options: FillOptions): ArchiveWriter {
  const { path, size, places, kept, file, journal, known } = filling;
  const present = new Set<Digest>([...(kept?.safe ?? []), ...(kept?.loose ?? [])]);
  const begun = new Map(kept?.begun);
  const disk = securing(filling, options.sync ?? true);
  const done = (digest: Digest): void => {
    present.add(digest);
    journal.done(digest);
    disk.wrote(places.get(digest)?.size ?? 0);
  };
  return {
    name: path,
    size,
    has: async ({ digest }) => present.has(digest),
    push: async ({ digest }, read) => {
      const there = begun.get(digest);
      begun.delete(digest);
      await fill(filling, digest, read, there);
      done(digest);
    },
    take: (contents, taking) => take(filling, contents, { ...options, ...taking }, done),
    commit: async () => {
      const missing = [...places.keys()].filter((digest) => !present.has(digest));
      if (missing.length > 0) throw new Error(`${path} would lack ${missing.join(', ')}`);
      await known;
      await disk.idle();
      await file.commit(options.sync);
      await journal.remove();
    },
    [Symbol.asyncDispose]: async () => {
      await known.catch(() => undefined);
      await disk.idle().catch(() => undefined);
      await (options.resume ? file.leave() : file.discard());
      await (options.resume ? journal.leave() : journal.remove());
    },
  };
}

/**
 * Writes content to its places. An earlier run may have left its first `there` bytes in place: then only the rest is
 * read, unless both together are not what the digest names.
 */
async function fill(filling: Filling, digest: Digest, read: ReadContent, there: number = 0): Promise<void> {
  const [offset] = filling.places.get(digest)?.offsets ?? [];
  if (there > 0 && offset !== undefined) {
    const head = readBack(filling.file.bytes, offset, there);
    try {
      return await write(filling, digest, read({ offset: there, head, reuse: true }), there);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  }
  await write(filling, digest, read({ reuse: true }), 0);
}

/** Writes a stream, which begins with byte `from` of its content, to the places of that. */
async function write({ places, file, journal }: Filling, digest: Digest, bytes: Bytes, from: number): Promise<void> {
  const offsets = places.get(digest)?.offsets ?? [];
  let done = from;
  let noted = from;
  for await (const chunk of bytes) {
    for (const offset of offsets) await file.write(chunk, offset + done);
    done += chunk.length;
    if (done - noted < NOTED) continue;
    journal.at(digest, done);
    noted = done;
  }
}

/** Copies content out of files in worker threads; hands all of it back where there is too little for that. */
async function take(
  { path, places, kept, file }: Filling,
  contents: readonly LocatedContent[],
  options: FillOptions & TakeOptions,
  done: (digest: Digest) => void,
): Promise<readonly LocatedContent[]> {
  const { workers, crew, signal, onBytes } = options;
  const total = contents.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  if (!isWorthwhile(total, workers)) return contents;
  const unread = new Set<Digest>();
  const jobs = contents.map(({ descriptor: { digest, size }, from }) => {
    return { digest, size, from, to: places.get(digest)?.offsets ?? [] };
  });
  await runJobs(jobs, {
    target: file.bytes,
    holes: kept === undefined,
    direct: options.sync ?? true,
    workers,
    crew,
    signal,
    onBytes,
    onVerdict: (job, verdict) => {
      if (verdict.kind === 'done') done(job.digest);
      else if (verdict.kind === 'unread') unread.add(job.digest);
      else throw failureOf(job, verdict, path);
    },
  });
  return contents.filter(({ descriptor }) => unread.has(descriptor.digest));
}

async function* readBack(path: string, offset: number, size: number): Bytes {
  const file = await openFile(path);
  try {
    yield* slice(file, offset, size);
  } finally {
    await file.close();
  }
}

/**
 * Makes the disk have what was written every so many bytes, while more is written, so that the journal can say that it
 * is safe and `commit` has less to wait for.
 */
function securing({ file, journal }: Filling, sync: boolean): { wrote(bytes: number): void; idle(): Promise<void> } {
  let pending = 0;
  let running: Promise<void> | undefined;
  let failed: { error: unknown } | undefined;
  return {
    wrote: (bytes) => {
      pending += bytes;
      if (!sync || running || pending < SYNCED) return;
      pending = 0;
      running = journal
        .secure(() => file.sync())
        .catch((error) => {
          failed ??= { error };
        })
        .finally(() => {
          running = undefined;
        });
    },
    idle: async () => {
      await running;
      if (failed) throw failed.error;
    },
  };
}
