import { type Digest, sha256 } from '../../../formats/digest.ts';
import { encodeJson } from '../../../formats/json.ts';
import {
  type Descriptor,
  isManifestType,
  mediaTypes,
  type Platform,
  platformName,
} from '../../../formats/oci/descriptor.ts';
import { normalPlatformName, parsePlatform } from '../../../formats/oci/platform.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import type { Closure, Fetched, Keep, Manifests } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { keepPlatforms, platformIn, platformMatcher, readConfig, tellsPlatform } from '../../parts/archives/index.ts';

/** How deep indexes in indexes are looked into; deeper ones are refused anyway. */
const DEPTH = 8;

/** Which platforms of an image are kept. */
export interface PlatformChoice {
  /** Left out: all of them. */
  readonly keep?: Keep;
  /** What an index names without a platform and is not kept, because its config names another one. */
  readonly leftOut: readonly Digest[];
}

/** Returns the normal names of platforms, sorted, each once. */
export function wantedPlatforms(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => normalPlatformName(parsePlatform(name))))].sort();
}

/**
 * Chooses the manifests of an image by the platforms that are asked for. Its index tells their platforms, and else
 * their configs. Throws `image-absent` where one is not there, and where an index names nothing.
 */
export async function choosePlatforms(
  { reference, source, platforms }: ImageDefinition,
  manifests: Manifests,
  published: Descriptor,
  signal: AbortSignal,
): Promise<PlatformChoice> {
  const top = await manifests.fetch(published, signal);
  if (top.value.kind === 'index' && top.value.manifests.length === 0) {
    throw new SolpackError('image-absent', reference, `${source} is an index that names no image`, {
      hint: 'push the image again, or name another source',
    });
  }
  if (platforms === undefined) return { leftOut: [] };
  const wanted = wantedPlatforms(platforms);
  const there: Platform[] = [];
  const leftOut: Digest[] = [];
  const visit = async (descriptor: Descriptor, depth: number): Promise<void> => {
    if (descriptor.platform) there.push(descriptor.platform);
    else if (isManifestType(descriptor.mediaType) && depth <= DEPTH) {
      const { value } = await manifests.fetch(descriptor, signal);
      if (value.kind === 'index') for (const child of value.manifests) await visit(child, depth + 1);
      else if (tellsPlatform(value.config)) {
        const own = await refused('image-unsupported', reference, async () =>
          platformIn(await readConfig(manifests.source, value.config, signal)),
        );
        if (own === undefined) return;
        there.push(own);
        if (!platformMatcher(wanted)(own)) leftOut.push(descriptor.digest);
      }
    }
  };
  const { platform: _, ...whole } = published;
  await visit(whole, 0);
  const names = there.filter(({ os }) => os !== 'unknown').map(platformName);
  const lacking = wanted.find((name) => !there.some(platformMatcher([name])));
  // What nothing is known of is taken: it may be for any platform.
  if (lacking !== undefined && there.length > 0) {
    const only = names.length === 0 ? '' : `, only ${[...new Set(names)].join(', ')}`;
    throw new SolpackError('image-absent', reference, `${source} has no ${lacking}${only}`, {
      hint: 'correct "platforms" in the definition, or name another source',
    });
  }
  return { keep: keepPlatforms(wanted, leftOut), leftOut };
}

/**
 * Puts a new index of the children that were kept on top of a closure; returns the closure unchanged where all were
 * kept. The new index equals the published one in everything else, and names it in an annotation. Throws
 * `image-unsupported` where a nested index would have to be made anew as well.
 */
export function withNewIndex({ reference }: ImageDefinition, closure: Closure): Closure {
  const top = closure.manifests.at(-1)!;
  if (closure.absent.length === 0 || top.value.kind !== 'index') return closure;
  const kept = new Set(
    [...closure.manifests.map(({ descriptor }) => descriptor), ...closure.blobs].map(({ digest }) => digest),
  );
  const absent = new Set(closure.absent.map(({ digest }) => digest));
  const left = top.value.manifests.filter(({ digest }) => absent.has(digest));
  if (left.length < closure.absent.length) {
    throw new SolpackError('image-unsupported', reference, 'has an index within its index, which cannot be reduced', {
      hint: 'write select = "sparse" for this image in the definition',
    });
  }
  const bytes = cut(top, ({ digest }) => kept.has(digest));
  const descriptor = { mediaType: top.value.mediaType, digest: sha256(bytes), size: bytes.length };
  const value = { ...top.value, manifests: top.value.manifests.filter(({ digest }) => !absent.has(digest)) };
  return { ...closure, manifests: [...closure.manifests.slice(0, -1), { descriptor, bytes, value }], absent: [] };
}

function cut({ descriptor, bytes, value }: Fetched, keep: (child: Descriptor) => boolean): Uint8Array {
  const document = JSON.parse(Buffer.from(bytes).toString()) as { manifests: Descriptor[]; annotations?: object };
  const manifests = document.manifests.filter(keep);
  // A Docker manifest list cannot have annotations; there, only the root says what it was made of.
  const isOci = value.mediaType === mediaTypes.index;
  const annotations = { ...document.annotations, [solutionAnnotations.original]: descriptor.digest };
  return encodeJson({ ...document, manifests, ...(isOci ? { annotations } : {}) });
}
