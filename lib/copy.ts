import { collect } from '../formats/bytes.ts';
import { type Digest, verified } from '../formats/digest.ts';
import { FormatError } from '../formats/error.ts';
import { type Descriptor, isManifestType } from '../formats/oci/descriptor.ts';
import { childrenOf, type Index, MANIFEST_LIMIT, type Manifest, parseManifest } from '../formats/oci/manifest.ts';
import { SolpackError } from './errors.ts';
import { pool } from './flow.ts';
import type { ContentSource, ContentTarget, FileRange, TakeOptions } from './model.ts';
import { atSide, move, sourceError, type Transfer } from './move.ts';
import { MismatchError } from './workers/run.ts';

export type { Transfer } from './move.ts';

/** How deep indexes may be nested. */
const DEPTH = 8;

/** Bytes that the manifests of one image may have together: they are held in memory. */
const MANIFESTS_LIMIT = 32 * 1024 * 1024;

/** A manifest or an index with its exact bytes. */
export interface Fetched {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly value: Manifest | Index;
}

/** Reads a manifest from `source`, checked against its descriptor. Throws `image-unsupported`, `content-mismatch`. */
export async function fetchManifest(
  source: ContentSource,
  descriptor: Descriptor,
  signal?: AbortSignal,
): Promise<Fetched> {
  if (descriptor.size > MANIFEST_LIMIT) {
    throw new SolpackError(
      'image-unsupported',
      descriptor.digest,
      `a manifest of ${descriptor.size} bytes in ${source.name}`,
      {
        side: 'source',
        hint: 'manifests of more than 4 MiB are not accepted by registries; split the image index',
      },
    );
  }
  const bytes = await atSource(source, descriptor, () =>
    collect(verified(source.open(descriptor, signal), descriptor), MANIFEST_LIMIT),
  );
  try {
    return { descriptor, bytes, value: parseManifest(bytes, descriptor.mediaType) };
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new SolpackError('image-unsupported', descriptor.digest, `${cause.message}, in ${source.name}`, {
      side: 'source',
      cause,
      hint: 'republish the image in OCI or Docker schema 2 form',
    });
  }
}

/** Everything that a manifest reaches. */
export interface Closure {
  /** Manifests and indexes, children before their parents, each digest once. */
  readonly manifests: readonly Fetched[];
  /** Configs and layers, in the order they were met, each digest once. */
  readonly blobs: readonly Descriptor[];
  /** Children of indexes that were not followed. */
  readonly absent: readonly Descriptor[];
}

/** Decides whether a child of an index is followed, in view of all of its children. */
export type Keep = (child: Descriptor, siblings: readonly Descriptor[]) => boolean;

/**
 * Reads the manifests that `root` reaches and lists the blobs they name; reads no blob. `keep` decides which
 * children of an index are followed (default: all).
 */
export async function closureOf(
  source: ContentSource,
  root: Descriptor,
  options: { signal?: AbortSignal | undefined; keep?: Keep | undefined } = {},
): Promise<Closure> {
  const manifests = new Map<Digest, Fetched>();
  const blobs = new Map<Digest, Descriptor>();
  const absent = new Map<Digest, Descriptor>();
  let held = 0;
  const visit = async (descriptor: Descriptor, depth: number): Promise<void> => {
    if (manifests.has(descriptor.digest)) return;
    if (depth > DEPTH) {
      throw new SolpackError(
        'image-unsupported',
        root.digest,
        `indexes nested more than ${DEPTH} deep in ${source.name}`,
      );
    }
    const fetched = await fetchManifest(source, descriptor, options.signal);
    held += fetched.bytes.length;
    if (held > MANIFESTS_LIMIT) {
      const message = `manifests of more than ${MANIFESTS_LIMIT} bytes in all, in ${source.name}`;
      throw new SolpackError('image-unsupported', root.digest, message, { hint: 'split the image index' });
    }
    const children = childrenOf(fetched.value);
    for (const child of children) {
      const nested = fetched.value.kind === 'index' && isManifestType(child.mediaType);
      if (fetched.value.kind === 'index' && options.keep && !options.keep(child, children))
        absent.set(child.digest, child);
      else if (nested) await visit(child, depth + 1);
      else if (!blobs.has(child.digest)) blobs.set(child.digest, child);
    }
    manifests.set(descriptor.digest, fetched);
  };
  await visit(root, 0);
  for (const digest of [...manifests.keys(), ...blobs.keys()]) absent.delete(digest);
  return { manifests: [...manifests.values()], blobs: [...blobs.values()], absent: [...absent.values()] };
}

/** What a copy did, in things and bytes. */
export interface Copied {
  readonly moved: number;
  readonly movedBytes: number;
  /** What the target had already. */
  readonly present: number;
}

/** How content is copied. */
export interface CopyOptions {
  readonly signal?: AbortSignal;
  /** Streams at once. */
  readonly limit?: number;
  /** Is told of bytes that were moved; of a negative count where they have to be moved once more. */
  readonly onBytes?: (count: number) => void;
}

/**
 * Moves content into `target`: the one algorithm for pack, push, load and mirror. Each digest is moved once, by one
 * worker, checked on the way; what the target has is left alone. Content that lies in files is left to targets that
 * take it there by themselves; the rest is streamed, meanwhile. Blobs are moved before the manifests that name them:
 * callers pass them in that order, in groups that may run at the same time.
 */
export async function copy(
  groups: readonly (readonly Transfer[])[],
  target: ContentTarget,
  options: CopyOptions = {},
): Promise<Copied> {
  const { onBytes = () => undefined } = options;
  const seen = new Set<Digest>();
  const copied = { moved: 0, movedBytes: 0, present: 0 };
  const moved = ({ descriptor }: Transfer): void => {
    copied.moved += 1;
    copied.movedBytes += descriptor.size;
  };
  const lacks = async ({ descriptor, source }: Transfer, signal?: AbortSignal): Promise<boolean> => {
    const has = async (): Promise<boolean> =>
      (await target.has(descriptor, signal)) || ((await target.adopt?.(descriptor, source, signal)) ?? false);
    const there = await has().catch((error) => {
      throw atSide(error, 'target', descriptor);
    });
    if (!there) return true;
    copied.present += 1;
    onBytes(descriptor.size);
    return false;
  };
  const streamOne = async (transfer: Transfer, signal: AbortSignal): Promise<void> => {
    await move(transfer, target, signal, onBytes);
    moved(transfer);
  };
  for (const group of groups) {
    const fresh = group.filter(({ descriptor: { digest } }) => !seen.has(digest) && seen.add(digest));
    const located = await locateAll(fresh, target);
    const take = async (signal: AbortSignal): Promise<void> => {
      const wanted: Transfer[] = [];
      for (const transfer of located.keys()) if (await lacks(transfer, signal)) wanted.push(transfer);
      const left = await takeAll(wanted, located, target, { signal, onBytes });
      for (const transfer of wanted) if (!left.includes(transfer)) moved(transfer);
      await pool(left, { ...options, signal }, streamOne);
    };
    const stream = (signal: AbortSignal): Promise<void> =>
      pool(
        fresh.filter((transfer) => !located.has(transfer)),
        { ...options, signal },
        async (transfer, inner) => {
          if (await lacks(transfer, inner)) await streamOne(transfer, inner);
        },
      );
    await pool(located.size > 0 ? [take, stream] : [stream], options, (work, signal) => work(signal));
  }
  return copied;
}

/** The files that content can be taken from, where the target knows how. */
async function locateAll(transfers: readonly Transfer[], target: ContentTarget): Promise<Map<Transfer, FileRange>> {
  const located = new Map<Transfer, FileRange>();
  if (!target.take) return located;
  for (const transfer of transfers) {
    const range = await transfer.source.locate?.(transfer.descriptor);
    if (range) located.set(transfer, range);
  }
  return located;
}

/** Lets the target take content out of files; returns what it could not read. */
async function takeAll(
  wanted: readonly Transfer[],
  located: ReadonlyMap<Transfer, FileRange>,
  target: ContentTarget,
  options: TakeOptions,
): Promise<Transfer[]> {
  const byDigest = new Map(wanted.map((transfer) => [transfer.descriptor.digest, transfer]));
  const contents = wanted.map((transfer) => ({ descriptor: transfer.descriptor, from: located.get(transfer)! }));
  try {
    const left = await target.take!(contents, options);
    return left.flatMap(({ descriptor }) => byDigest.get(descriptor.digest) ?? []);
  } catch (error) {
    const transfer = error instanceof MismatchError ? byDigest.get(error.digest) : undefined;
    if (!transfer || !(error instanceof MismatchError)) throw error;
    throw sourceError(transfer.source, transfer.descriptor, error.cause);
  }
}

async function atSource<T>(source: ContentSource, descriptor: Descriptor, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sourceError(source, descriptor, error);
  }
}
