import { type Bytes, collect } from '../formats/bytes.ts';
import { type Digest, verified } from '../formats/digest.ts';
import { FormatError } from '../formats/error.ts';
import { type Descriptor, isManifestType } from '../formats/oci/descriptor.ts';
import { childrenOf, type Index, MANIFEST_LIMIT, type Manifest, parseManifest } from '../formats/oci/manifest.ts';
import { SolpackError } from './errors.ts';
import { onceByKey, pool } from './flow.ts';
import type { ContentSource, ContentTarget } from './model.ts';

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
}

/**
 * Reads the manifests that `root` reaches and lists the blobs they name; reads no blob. `keep` decides which
 * children of an index are followed (default: all).
 */
export async function closureOf(
  source: ContentSource,
  root: Descriptor,
  options: { signal?: AbortSignal; keep?: (child: Descriptor) => boolean } = {},
): Promise<Closure> {
  const manifests = new Map<Digest, Fetched>();
  const blobs = new Map<Digest, Descriptor>();
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
    for (const child of childrenOf(fetched.value)) {
      const nested = fetched.value.kind === 'index' && isManifestType(child.mediaType);
      if (fetched.value.kind === 'index' && options.keep && !options.keep(child)) continue;
      if (nested) await visit(child, depth + 1);
      else if (!blobs.has(child.digest)) blobs.set(child.digest, child);
    }
    manifests.set(descriptor.digest, fetched);
  };
  await visit(root, 0);
  return { manifests: [...manifests.values()], blobs: [...blobs.values()] };
}

/** One thing to be moved, with where it comes from. */
export interface Transfer {
  readonly descriptor: Descriptor;
  readonly source: ContentSource;
}

/** What a copy did, in things and bytes. */
export interface Copied {
  readonly moved: number;
  readonly movedBytes: number;
  /** What the target had already. */
  readonly present: number;
}

/**
 * Moves content into `target`: the one algorithm for pack, push, load and mirror. Each digest is moved once, by one
 * worker, checked on the way; what the target has is left alone. Blobs are moved before the manifests that name
 * them: callers pass them in that order, in groups that may run at the same time.
 */
export async function copy(
  groups: readonly (readonly Transfer[])[],
  target: ContentTarget,
  options: { signal?: AbortSignal; limit?: number; onBytes?: (count: number) => void } = {},
): Promise<Copied> {
  const single = onceByKey<Digest, void>();
  let moved = 0;
  let movedBytes = 0;
  let present = 0;
  for (const group of groups) {
    await pool(group, options, ({ descriptor, source }, signal) =>
      single(descriptor.digest, async () => {
        if (await target.has(descriptor, signal)) {
          present += 1;
          options.onBytes?.(descriptor.size);
          return;
        }
        await move(descriptor, source, target, signal, options.onBytes);
        moved += 1;
        movedBytes += descriptor.size;
      }),
    );
  }
  return { moved, movedBytes, present };
}

async function move(
  descriptor: Descriptor,
  source: ContentSource,
  target: ContentTarget,
  signal: AbortSignal,
  onBytes?: (count: number) => void,
): Promise<void> {
  let failed: { error: unknown } | undefined;
  async function* read(): Bytes {
    try {
      for await (const chunk of verified(source.open(descriptor, signal), descriptor)) {
        signal.throwIfAborted();
        yield chunk;
        onBytes?.(chunk.length);
      }
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  try {
    await target.push(descriptor, read(), signal);
  } catch (error) {
    if (!failed) throw error;
  }
  if (failed) throw sourceError(source, descriptor, failed.error);
}

async function atSource<T>(source: ContentSource, descriptor: Descriptor, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sourceError(source, descriptor, error);
  }
}

function sourceError(source: ContentSource, descriptor: Descriptor, error: unknown): unknown {
  if (!(error instanceof FormatError)) return error;
  return new SolpackError('content-mismatch', descriptor.digest, `${error.message}, in ${source.name}`, {
    side: 'source',
    cause: error,
    hint: `the content of ${source.name} is damaged; fetch or build it again`,
  });
}
