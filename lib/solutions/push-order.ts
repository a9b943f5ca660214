import type { Descriptor } from '../../formats/oci/descriptor.ts';
import type { Catalog, CatalogImage, CatalogReferrer } from '../archives/index.ts';
import type { Fetched } from '../manifests.ts';

/**
 * All that a root reaches, and the root itself, in groups that have to follow each other: blobs, then the manifests that
 * name blobs alone, then each other one after what it names or is about.
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

/** The exact bytes of an image's or a referrer's own manifest. */
export function topManifest({ descriptor, closure }: CatalogImage | CatalogReferrer): Fetched {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!;
}

/** Bytes of all `groups`. */
export function groupsSize(groups: readonly (readonly Descriptor[])[]): number {
  return groups.flat().reduce((sum, { size }) => sum + size, 0);
}
