import type { Digest } from '../../formats/digest.ts';
import type { Catalog, CatalogImage } from '../archives/index.ts';

/**
 * The predicate types that a Solution has something of: about itself, or about every one of its images. About an image means
 * about its own manifest, or about each manifest of a platform that the archive holds.
 */
export function fulfilledTypes({ attestations, images }: Catalog): string[] {
  const types = [...new Set(attestations.map(({ predicateType }) => predicateType))];
  return types.filter((type) => {
    const subjects = attestations.filter(({ predicateType }) => predicateType === type).map(({ subject }) => subject);
    if (subjects.includes(undefined)) return true;
    const about = new Set(subjects);
    return images.every(
      (image) => about.has(image.descriptor.digest) || platformsOf(image).every((one) => about.has(one)),
    );
  });
}

/** The manifests of an image that run somewhere; its own where it has no index. */
function platformsOf({ closure, descriptor }: CatalogImage): readonly Digest[] {
  const nowhere = new Set(
    closure.manifests
      .flatMap(({ value }) =>
        value.kind === 'index' ? value.manifests.filter(({ platform }) => platform?.os === 'unknown') : [],
      )
      .map(({ digest }) => digest),
  );
  const platforms = closure.manifests
    .filter(({ value, descriptor: { digest } }) => value.kind === 'manifest' && !nowhere.has(digest))
    .map(({ descriptor: { digest } }) => digest);
  return platforms.length === 0 ? [descriptor.digest] : platforms;
}
