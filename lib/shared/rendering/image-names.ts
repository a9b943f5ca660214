import type { Digest } from '../../../formats/digest.ts';
import { formatReference, parseReference, type Reference, readReference } from '../../../formats/oci/reference.ts';
import type { HeldImage } from './renderable.ts';

/** An image that an object names, found among those of an archive. */
export interface FoundImage {
  readonly image: HeldImage;
  /** What has to be pulled: the image itself, or, where the object says so, one manifest of it. */
  readonly digest: Digest;
}

/** Names an image as nodes pull it: by its reference in the archive, and the digest that is wanted of it. */
export type PullName = (reference: string, digest: Digest) => string;

/** Finds an image by the name that an object has for it; undefined where it is not there. */
export type FindImage = (name: string) => FoundImage | undefined;

/**
 * Finds images among those that an archive holds: by registry, repository and tag, or by digest, whatever the name. A
 * name with tag and digest has to agree with the archive's image of that tag, if there is one.
 */
export function finderOf(images: readonly HeldImage[]): FindImage {
  const byTag = new Map<string, HeldImage>();
  for (const image of images) {
    const { digest: _, ...named } = parseReference(image.reference);
    byTag.set(formatReference(named), image);
  }
  return (name) => {
    const wanted = readReference(name);
    if (wanted === undefined) return undefined;
    const { digest, ...named } = wanted;
    const tagged = digest === undefined || wanted.tag !== undefined ? byTag.get(formatReference(named)) : undefined;
    if (digest === undefined) return tagged && { image: tagged, digest: tagged.descriptor.digest };
    const holders = (tagged ? [tagged] : images).filter(({ closure }) =>
      closure.manifests.some(({ descriptor }) => descriptor.digest === digest),
    );
    const image = holders.find(({ reference }) => sameRepository(parseReference(reference), wanted)) ?? holders[0];
    return image && { image, digest };
  };
}

function sameRepository(a: Reference, b: Reference): boolean {
  return a.registry === b.registry && a.repository === b.repository;
}
