import type { Digest } from '../../../../../formats/digest.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../../../../formats/oci/reference.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import type { Archive, CatalogImage, CatalogReferrer } from '../../../../parts/archives/index.ts';
import type { RepositoryTarget } from '../../../../parts/registries/index.ts';
import { byTagPrecedence, topManifest } from '../../../../shared/solutions/registries/index.ts';

/** A manifest that nothing else of its image names, and the tag that it has. */
export interface TopManifest {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  /** Undefined where it is named by its digest alone, also since another archive has that tag for another image. */
  readonly tag: string | undefined;
}

/** An image of an archive, and where it goes. */
export interface ImageToPush {
  readonly archive: Archive;
  readonly image: CatalogImage;
  readonly target: RepositoryTarget;
  /** The manifest of the image, and of each thing that refers to it. */
  readonly tops: readonly TopManifest[];
}

/**
 * Finds out where each image goes. Where archives have a tag of the same image for different contents, all go there,
 * and the tag to the first of them by `byTagPrecedence`. Throws `image-conflict` where two images with different names
 * would get one.
 */
export function imagesToPush(
  archives: readonly Archive[],
  targetOf: (reference: Reference) => RepositoryTarget,
): ImageToPush[] {
  const claims: Claims = new Map();
  const pushed = byTagPrecedence(archives, ({ catalog }) => catalog.metadata).map((archive) => {
    const images = archive.catalog.images.map((image) => imageToPush(archive, image, targetOf, claims));
    return [archive, images] as const;
  });
  const byArchive = new Map(pushed);
  return archives.flatMap((archive) => byArchive.get(archive)!);
}

/** What has each tag of a registry, by `REPOSITORY:TAG`. */
type Claims = Map<string, { readonly archive: Archive; readonly image: CatalogImage; readonly digest: Digest }>;

function imageToPush(
  archive: Archive,
  image: CatalogImage,
  targetOf: (reference: Reference) => RepositoryTarget,
  claims: Claims,
): ImageToPush {
  const reference = parseReference(image.reference);
  const target = targetOf(reference);
  const top = (of: CatalogImage | CatalogReferrer, tag: string | undefined): TopManifest => {
    const { descriptor } = of;
    const name = `${target.repository}:${tag}`;
    const first = claims.get(name) ?? { archive, image, digest: descriptor.digest };
    if (tag !== undefined) claims.set(name, first);
    const isOwn = first.digest === descriptor.digest;
    const mayShare = first.archive !== archive && isSameName(first.image, image);
    if (!isOwn && of === image && !mayShare) throw conflict(name, first.image, image);
    return { descriptor, bytes: topManifest(of).bytes, tag: isOwn ? tag : undefined };
  };
  const tops = [top(image, reference.tag), ...image.referrers.map((referrer) => top(referrer, referrer.tag))];
  return { archive, image, target, tops };
}

/** Whether two images have the same name, their tags and digests aside. */
function isSameName(one: CatalogImage, other: CatalogImage): boolean {
  const [a, b] = [parseReference(one.reference), parseReference(other.reference)];
  return a.registry === b.registry && a.repository === b.repository;
}

function conflict(name: string, one: CatalogImage, other: CatalogImage): SolpackError {
  const message = `is claimed by ${one.reference} and by ${other.reference}, which differ`;
  return new SolpackError('image-conflict', name, message, {
    hint: 'push them to different registries, or rename one of them',
  });
}
