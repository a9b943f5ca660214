import type { Digest } from '../../../../../formats/digest.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import type { Catalog, CatalogImage } from '../../../../parts/archives/index.ts';
import { imageGroups } from '../../../../shared/solutions/registries/index.ts';

/** Lists the blobs of an image, and of what refers to it. */
export function blobsOf({ closure, referrers }: CatalogImage): Descriptor[] {
  return [closure, ...referrers.map((referrer) => referrer.closure)].flatMap(({ blobs }) => blobs);
}

/** Lists the blobs of an archive that `pushImages` hashes where it sends them. */
export function pushedBlobs({ images }: Pick<Catalog, 'images'>): ReadonlySet<Digest> {
  return new Set(images.flatMap((image) => blobsOf(image)).map(({ digest }) => digest));
}

/** Lists what an image consists of, and what refers to it, each digest once. */
export function contentsOf(image: CatalogImage): Descriptor[] {
  const all = imageGroups(image).flat();
  return [...new Map(all.map((descriptor) => [descriptor.digest, descriptor])).values()];
}
