import { collect } from '../../../formats/bytes.ts';
import { type Digest, verified } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { type Index, MANIFEST_LIMIT, type Manifest, parseManifest } from '../../../formats/oci/manifest.ts';
import { type ContentSource, type NamedSource, sourceError } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { movedSource, requestWords } from './failures.ts';
import type { ResolvedSource, SourceRequest, StoreContext } from './kind.ts';
import { bytesOf, type KeptContent } from './store.ts';

/** A manifest, not an index. */
export interface FoundManifest {
  readonly value: Manifest;
}

/** The platform whose manifest is taken of an index; what is unpacked should be the same for all of them. */
const PLATFORM = { os: 'linux', architecture: 'amd64' } as const;

/**
 * Returns the manifest that was resolved, from what was fetched before or from `source`. Of an index, it is the one for
 * linux/amd64, otherwise the first that is for any platform. Throws `lock-mismatch` where the registry no longer has
 * it.
 */
export async function manifestOf(
  request: SourceRequest,
  resolved: ResolvedSource,
  source: NamedSource,
  context: StoreContext,
): Promise<FoundManifest> {
  const value = await readAny(request, resolved.digest, undefined, source, context, () =>
    movedSource(request, resolved, `${source.name} no longer holds it`),
  );
  if (value.kind === 'manifest') return { value };
  const children = value.manifests.filter(({ platform }) => platform?.os !== 'unknown');
  const child =
    children.find(({ platform: { os, architecture } = {} as never }) => {
      return os === PLATFORM.os && architecture === PLATFORM.architecture;
    }) ?? children[0];
  if (!child) throw unusable(request, 'its index names no manifest');
  const inner = await readAny(request, child.digest, child, source, context, () =>
    unusable(request, `${source.name} lacks ${child.digest}, which its index names`),
  );
  if (inner.kind === 'manifest') return { value: inner };
  throw unusable(request, 'its index names another index');
}

async function readAny(
  request: SourceRequest,
  digest: Digest,
  known: Descriptor | undefined,
  source: NamedSource,
  context: StoreContext,
  absent: () => SolpackError,
): Promise<Manifest | Index> {
  const { store, flow } = context;
  const kept = await store.find(digest);
  const descriptor = kept ? undefined : (known ?? (await source.resolve(digest, flow.signal)));
  if (!kept && !descriptor) throw absent();
  const { path } = kept ?? (await keepBlob(descriptor!, MANIFEST_LIMIT, request, source, context));
  const bytes = await collect(bytesOf(path), MANIFEST_LIMIT);
  return refused('component-invalid', requestWords(request), () => parseManifest(bytes, descriptor?.mediaType));
}

/**
 * Keeps content of a registry, checked, unless it is there; only as long as this run if `isPassing`. Throws
 * `content-mismatch`.
 */
export async function keepBlob(
  descriptor: Descriptor,
  limit: number,
  request: SourceRequest,
  source: ContentSource,
  { store, flow }: StoreContext,
  isPassing = false,
): Promise<KeptContent> {
  const found = await store.find(descriptor.digest);
  if (found) return found;
  try {
    const bytes = verified(source.open(descriptor, { signal: flow.signal }), descriptor);
    return await store.keep(bytes, limit, requestWords(request), isPassing);
  } catch (error) {
    flow.signal.throwIfAborted();
    throw sourceError(source, descriptor, error);
  }
}

function unusable(request: SourceRequest, why: string): SolpackError {
  return new SolpackError('component-invalid', requestWords(request), why, { hint: 'publish it again' });
}
