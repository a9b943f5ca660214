import type { Descriptor } from '../../formats/oci/descriptor.ts';
import type { Catalog, CatalogImage, CatalogReferrer } from '../archives/catalog.ts';
import type { Fetched } from '../closure.ts';

/**
 * Groups the root and all that it reaches in the order in which a registry takes them: blobs, then manifests that name only
 * blobs, then each other manifest after what it names or is about, and the root last.
 */
export function pushGroups({ manifests, solutionBlobs, imageBlobs, root }: Catalog): Descriptor[][] {
  const isLeaf = ({ value }: Fetched): boolean => value.kind === 'manifest' && value.subject === undefined;
  const descriptorOf = ({ descriptor }: Fetched): Descriptor => descriptor;
  return [
    [...solutionBlobs, ...imageBlobs],
    manifests.filter(isLeaf).map(descriptorOf),
    ...manifests.filter((manifest) => !isLeaf(manifest)).map((manifest) => [descriptorOf(manifest)]),
    [root],
  ];
}

/**
 * Groups what an image consists of, and what refers to it, in parts that have to follow each other: blobs, then each manifest
 * after its children, then each referrer after its subject.
 */
export function imageGroups({ closure, referrers }: CatalogImage): Descriptor[][] {
  const closures = [closure, ...referrers.map((referrer) => referrer.closure)];
  return closures.flatMap(({ blobs, manifests }) => [[...blobs], ...manifests.map(({ descriptor }) => [descriptor])]);
}

/** Finds an image's or a referrer's own manifest in its closure. */
export function topManifest({ descriptor, closure }: CatalogImage | CatalogReferrer): Fetched {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!;
}

/** Adds up the bytes of all `groups`. */
export function groupsSize(groups: readonly (readonly Descriptor[])[]): number {
  return groups.flat().reduce((sum, { size }) => sum + size, 0);
}
