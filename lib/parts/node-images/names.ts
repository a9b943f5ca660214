import { hexOf, sha256 } from '../../../formats/digest.ts';
import { shortDigest } from '../../../formats/oci/image-archive.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import type { ImageName } from './kind.ts';

/**
 * Returns the name of an image that has its digest and no tag: the one that the CRI looks for where a Pod names a
 * digest.
 */
export function digestName({ reference, digest }: ImageName): string {
  const { registry, repository } = parseReference(reference);
  return formatReference({ registry, repository, digest });
}

/** Returns the name of an image with its tag, and without digest; undefined where it has no tag. */
export function tagName({ reference }: ImageName): string | undefined {
  const { registry, repository, tag } = parseReference(reference);
  return tag === undefined ? undefined : formatReference({ registry, repository, tag });
}

/** The same for who wants a tag in every name: one that is made of the digest, where there is none. */
export function taggedName(image: ImageName): string {
  const { registry, repository } = parseReference(image.reference);
  return tagName(image) ?? formatReference({ registry, repository, tag: `sha256-${hexOf(image.digest).slice(0, 64)}` });
}

/** Lists the names that an image has in a runtime's store. */
export function storeNames(image: ImageName): string[] {
  return [tagName(image) ?? [], digestName(image)].flat();
}

/** Names an image in what is remembered of a place. */
export function keyOf({ reference, digest }: ImageName): string {
  return `${reference} ${digest}`;
}

/** The most characters of a repository and a tag in the name of a file. */
const MOST = 80;

/**
 * Makes the name of a file for an image, without the ending: the same for the same image, another one for any other.
 */
export function fileStem(image: ImageName): string {
  const { repository, tag = 'none' } = parseReference(image.reference);
  const words = `${repository.slice(repository.lastIndexOf('/') + 1)}-${tag}`.slice(0, MOST);
  return `solpack-${words}-${shortDigest(sha256(keyOf(image)))}`;
}
