import { collect } from '../../../formats/bytes.ts';
import { type Digest, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { PartCount } from '../../../formats/json.ts';
import { type Descriptor, isManifestType } from '../../../formats/oci/descriptor.ts';
import { childrenOf, MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { SolpackError } from '../events/index.ts';
import { Budget } from './budget.ts';
import type { Closure, Fetched, Keep } from './closure.ts';
import type { ContentSource } from './model.ts';
import { sourceError } from './move.ts';

/** How deeply indexes may be nested. */
const DEPTH = 8;

/**
 * Reads a manifest once from `source`, checks it against its descriptor, and counts it in `budget`. Throws
 * `image-unsupported`, `content-mismatch`.
 */
export async function fetchManifest(
  source: ContentSource,
  descriptor: Descriptor,
  signal?: AbortSignal,
  budget: Budget = new Budget(),
): Promise<Fetched> {
  return read(source, descriptor, (bytes) => budget.look(bytes), signal);
}

/** Reads the manifests of one source, each once, however often it is named, and all within one budget. */
export class Manifests {
  readonly source: ContentSource;
  readonly budget: Budget;
  readonly #known = new Map<string, Promise<Omit<Fetched, 'descriptor'>>>();

  constructor(source: ContentSource, budget: Budget = new Budget()) {
    this.source = source;
    this.budget = budget;
  }

  /** Reads a manifest, and checks it against its descriptor. Throws as `fetchManifest`. */
  async fetch(descriptor: Descriptor, signal?: AbortSignal): Promise<Fetched> {
    const { digest, size, mediaType } = descriptor;
    // What is valid with one type or size need not be with another.
    const key = `${digest} ${size} ${mediaType}`;
    const known = this.#known.get(key) ?? read(this.source, descriptor, (bytes) => this.budget.hold(bytes), signal);
    this.#known.set(key, known);
    const { bytes, value } = await known;
    return { descriptor, bytes, value };
  }
}

async function read(
  source: ContentSource,
  descriptor: Descriptor,
  count: (bytes: Uint8Array) => PartCount,
  signal: AbortSignal | undefined,
): Promise<Fetched> {
  if (descriptor.size > MANIFEST_LIMIT) {
    const message = `a manifest of ${sizeWords(descriptor.size)} in ${source.name}`;
    throw new SolpackError('image-unsupported', descriptor.digest, message, {
      side: 'source',
      hint: 'manifests of more than 4 MiB are not accepted by registries; split the image index',
    });
  }
  const bytes = await atSource(source, descriptor, () =>
    collect(verified(source.open(descriptor, { signal }), descriptor), MANIFEST_LIMIT),
  );
  return unlessUnsupported(source, descriptor, () => {
    const counted = count(bytes);
    return { descriptor, bytes, value: parseManifest(bytes, descriptor.mediaType, counted) };
  });
}

function unlessUnsupported<T>(source: ContentSource, { digest }: Descriptor, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    const isLimit = cause.code === 'manifest-limit';
    throw new SolpackError('image-unsupported', digest, `${cause.message}, in ${source.name}`, {
      side: 'source',
      cause,
      hint: isLimit ? 'split it into several' : 'republish the image in OCI or Docker schema 2 form',
    });
  }
}

/**
 * Reads the manifests that `root` reaches, and lists the blobs that they name, but reads no blob. `keep` decides which
 * children of an index are followed (default: all).
 */
export async function closureOf(
  all: Manifests,
  root: Descriptor,
  options: { signal?: AbortSignal | undefined; keep?: Keep | undefined } = {},
): Promise<Closure> {
  const { source, budget } = all;
  const manifests = new Map<Digest, Fetched>();
  const blobs = new Map<Digest, Descriptor>();
  const absent = new Map<Digest, Descriptor>();
  const visit = async (descriptor: Descriptor, depth: number): Promise<void> => {
    if (manifests.has(descriptor.digest)) return;
    if (depth > DEPTH) {
      throw new SolpackError(
        'image-unsupported',
        root.digest,
        `indexes nested more than ${DEPTH} deep in ${source.name}`,
      );
    }
    const fetched = await all.fetch(descriptor, options.signal);
    const isIndex = fetched.value.kind === 'index';
    const children = childrenOf(fetched.value);
    unlessUnsupported(source, root, () => budget.walk(children.length));
    const isKept = isIndex && options.keep ? options.keep(children) : () => true;
    for (const child of children) {
      if (!isKept(child)) absent.set(child.digest, child);
      else if (isIndex && isManifestType(child.mediaType)) await visit(child, depth + 1);
      else if (!blobs.has(child.digest)) blobs.set(child.digest, child);
    }
    manifests.set(descriptor.digest, fetched);
  };
  await visit(root, 0);
  for (const digest of [...manifests.keys(), ...blobs.keys()]) absent.delete(digest);
  return { manifests: [...manifests.values()], blobs: [...blobs.values()], absent: [...absent.values()] };
}

async function atSource<T>(source: ContentSource, descriptor: Descriptor, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sourceError(source, descriptor, error);
  }
}
