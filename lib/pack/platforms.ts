import { sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Descriptor, mediaTypes, platformName } from '../../formats/oci/descriptor.ts';
import type { ImageDefinition } from '../../formats/solution/definition.ts';
import { solutionAnnotations } from '../../formats/solution/metadata.ts';
import { keepPlatforms } from '../archives/index.ts';
import type { Closure, Fetched } from '../closure.ts';
import { SolpackError } from '../errors.ts';

/** Throws `image-absent` where an index lacks one of the platforms that were asked for. */
export function requirePlatforms(
  { reference, source }: ImageDefinition,
  closure: Closure,
  wanted: readonly string[],
): void {
  const children = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  if (children.length === 0) return;
  const there = children.filter(({ platform }) => platform !== undefined);
  for (const name of wanted) {
    if (there.some(keepPlatforms([name])([]))) continue;
    const names = there.flatMap(({ platform }) => (platform ? [platformName(platform)] : []));
    throw new SolpackError('image-absent', reference, `${source} has no ${name}, only ${names.join(', ')}`, {
      hint: 'correct "platforms" in the definition',
    });
  }
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
    throw new SolpackError('image-unsupported', reference, 'has an index within its index, which cannot be cut', {
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
