import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import {
  type Closure,
  type ContentSource,
  closureOf,
  Manifests,
  type NamedSource,
} from '../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type ImageSourceContext, openImageSource } from '../../parts/images/index.ts';
import { foreignSource } from './foreign-layers.ts';
import { chooseManifest, type ManifestChoice } from './locked-manifest.ts';
import { choosePlatforms, withNewIndex } from './platforms.ts';
import { findReferrers, lockedReferrers, type ResolvedReferrer } from './referrers.ts';

/** An image of the definition, as it was found in its source. */
export interface ResolvedImage {
  readonly definition: ImageDefinition;
  /** Its descriptor in the archive. */
  readonly descriptor: Descriptor;
  /** Its descriptor in the source, which differs where a new index was made. */
  readonly published: Descriptor;
  /** What its index names without a platform and was left out by its config. */
  readonly leftOut: readonly Digest[];
  readonly closure: Closure;
  readonly referrers: readonly ResolvedReferrer[];
  readonly source: NamedSource;
  /** The source of its foreign layers; undefined where it has none. */
  readonly foreign: ContentSource | undefined;
}

/** How to resolve an image. */
export interface ResolveOptions extends ManifestChoice {
  /** Context for opening the image's source. */
  readonly context: ImageSourceContext;
  /** Fetches foreign layers, whatever the definition says. */
  readonly allowForeignLayers: boolean;
}

/**
 * Finds an image in its source and reads its manifests. Throws `image-absent`, `image-unsupported`, `source-invalid`,
 * `lock-mismatch`. The source stays open, also when this throws: the caller closes it.
 */
export async function resolveImage(
  definition: ImageDefinition,
  options: ResolveOptions,
  flow: Flow,
  opened: (source: NamedSource) => void,
): Promise<ResolvedImage> {
  const { signal } = flow;
  const { context, locked } = options;
  const image = await openImageSource(definition.source, { ...context, signal });
  const { source } = image;
  opened(source);
  const published = await chooseManifest(definition, options, image, flow);
  const manifests = new Manifests(source);
  const { keep, leftOut } = await choosePlatforms(definition, manifests, published, signal);
  const found = await closureOf(manifests, published, { signal, keep });
  const closure = definition.select === 'index' ? withNewIndex(definition, found) : found;
  const foreign = foreignSource(definition, closure, source, options.allowForeignLayers);
  const { descriptor } = closure.manifests.at(-1)!;
  const isNew = descriptor.digest !== published.digest;
  if (isNew) requireUnpinned(definition, published.digest);
  // A new index cannot have referrers.
  const subjects = isNew ? closure.manifests.slice(0, -1) : closure.manifests;
  const referrers = !definition.referrers
    ? []
    : locked
      ? await lockedReferrers(source, manifests, locked, signal)
      : await findReferrers(source, manifests, subjects, signal);
  return { definition, descriptor, published, leftOut, closure, referrers, source, foreign };
}

/** Refuses a new index where the reference names a digest, which the new index cannot have. */
function requireUnpinned({ reference }: ImageDefinition, published: Digest): void {
  if (parseReference(reference).digest === undefined) return;
  throw new SolpackError(
    'image-unsupported',
    reference,
    `is pinned to ${published}, but its definition asks for a new index`,
    {
      hint: 'write select = "sparse" for this image in the definition, or leave the digest out of its reference',
    },
  );
}
