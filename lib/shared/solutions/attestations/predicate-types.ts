import type { Digest } from '../../../../formats/digest.ts';
import type { Catalog, CatalogImage } from '../../../parts/archives/index.ts';

/**
 * Lists the predicate types of which a Solution has an attestation of itself, or of every image. An image has one where
 * its own manifest has one, or the manifest of each platform in the archive.
 */
export function fulfilledTypes({ attestations, images }: Catalog): string[] {
  const subjects = new Map<string, Set<Digest | undefined>>();
  for (const { predicateType, subject } of attestations) {
    subjects.set(predicateType, (subjects.get(predicateType) ?? new Set()).add(subject));
  }
  const platforms = images.map(runnableManifests);
  const fulfilled = [...subjects].filter(([, about]) => {
    if (about.has(undefined)) return true;
    return images.every(
      ({ descriptor }, at) => about.has(descriptor.digest) || platforms[at]!.every((one) => about.has(one)),
    );
  });
  return fulfilled.map(([type]) => type);
}

/** Lists the manifests of an image's platforms; its own manifest where it has no index. */
export function runnableManifests({ closure, descriptor }: CatalogImage): readonly Digest[] {
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
