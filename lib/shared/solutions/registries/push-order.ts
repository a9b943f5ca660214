import type { Digest } from '../../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../../formats/oci/descriptor.ts';
import type { Fetched } from '../../../kernel/content/index.ts';
import type { Catalog, CatalogImage, CatalogReferrer } from '../../../parts/archives/index.ts';

/**
 * Groups the root and all that it reaches in the order in which a registry takes them: blobs, then manifests that name
 * only blobs, then each other manifest after what it names and what it is about, and the root last.
 */
export function pushGroups({ manifests, solutionBlobs, imageBlobs, root }: Catalog): Descriptor[][] {
  const isLeaf = ({ value }: Fetched): boolean => value.kind === 'manifest' && value.subject === undefined;
  const descriptorOf = ({ descriptor }: Fetched): Descriptor => descriptor;
  return [
    [...solutionBlobs, ...imageBlobs],
    manifests.filter(isLeaf).map(descriptorOf),
    ...inOrder(manifests.filter((manifest) => !isLeaf(manifest))).map((manifest) => [descriptorOf(manifest)]),
    [root],
  ];
}

/**
 * Groups what an image consists of, and what refers to it, in parts that have to follow each other: blobs, then each
 * manifest after its children and its subject. Some registries, such as GitLab's, take nothing about a manifest that
 * they do not have.
 */
export function imageGroups({ closure, referrers }: CatalogImage): Descriptor[][] {
  const closures = [closure, ...referrers.map((referrer) => referrer.closure)];
  const manifests = inOrder(closures.flatMap((one) => one.manifests));
  return [closures.flatMap(({ blobs }) => blobs), ...manifests.map(({ descriptor }) => [descriptor])];
}

/** Puts each manifest, once, after those of the list that it names or is about; all else stays in its order. */
function inOrder(manifests: readonly Fetched[]): Fetched[] {
  const left = new Map(manifests.map((manifest) => [manifest.descriptor.digest, manifest]));
  const ordered: Fetched[] = [];
  for (const first of left.values()) {
    // A chain may be as long as whoever made the archive likes: so there is no call within a call.
    const chain = [taken(first, left)];
    while (chain.length > 0) {
      const { manifest, before } = chain.at(-1)!;
      const next = before.map((digest) => left.get(digest)).find((one) => one !== undefined);
      if (next) chain.push(taken(next, left));
      else {
        ordered.push(manifest);
        chain.pop();
      }
    }
  }
  return ordered;
}

/** A manifest, and what has to be placed before it. */
interface Waiting {
  readonly manifest: Fetched;
  readonly before: readonly Digest[];
}

function taken(manifest: Fetched, left: Map<Digest, Fetched>): Waiting {
  left.delete(manifest.descriptor.digest);
  const { value } = manifest;
  const named = value.kind === 'index' ? value.manifests : [];
  return { manifest, before: [...named, ...(value.subject ? [value.subject] : [])].map(({ digest }) => digest) };
}

/** Finds an image's or a referrer's own manifest in its closure. */
export function topManifest({ descriptor, closure }: CatalogImage | CatalogReferrer): Fetched {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!;
}

/** Adds up the bytes of all `groups`. */
export function groupsSize(groups: readonly (readonly Descriptor[])[]): number {
  return totalSize(groups.flat());
}
