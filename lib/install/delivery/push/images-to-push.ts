import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../../../formats/oci/reference.ts';
import type { CatalogImage } from '../../../archives/catalog.ts';
import type { Archive } from '../../../archives/open.ts';
import { SolpackError } from '../../../errors.ts';
import type { RepositoryTarget } from '../../../registries/repository-target.ts';
import { topManifest } from '../../../solutions/push-order.ts';

/** An image of an archive, and where it goes. */
export interface ImageToPush {
  readonly archive: Archive;
  readonly image: CatalogImage;
  readonly target: RepositoryTarget;
  /** Undefined for an image that is named by its digest alone. */
  readonly tag: string | undefined;
}

/** Finds out where each image goes. Throws `image-conflict` where two images that differ would get one name. */
export function imagesToPush(
  archives: readonly Archive[],
  targetOf: (reference: Reference) => RepositoryTarget,
): ImageToPush[] {
  const claimed = new Map<string, CatalogImage>();
  return archives.flatMap((archive) =>
    archive.catalog.images.map((image) => {
      const reference = parseReference(image.reference);
      const target = targetOf(reference);
      const name = `${target.repository}:${reference.tag ?? image.descriptor.digest}`;
      const other = claimed.get(name);
      if (other && other.descriptor.digest !== image.descriptor.digest) throw conflict(name, other, image);
      claimed.set(name, image);
      return { archive, image, target, tag: reference.tag };
    }),
  );
}

/** A manifest that nothing else of its image names, and the tag that it has. */
export interface TopManifest {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly tag: string | undefined;
}

/** Lists the manifest of an image, and of each thing that refers to it. */
export function topsOf({ image, tag }: ImageToPush): TopManifest[] {
  const tops = [{ own: image, tag }, ...image.referrers.map((referrer) => ({ own: referrer, tag: referrer.tag }))];
  return tops.map(({ own, tag: name }) => ({ descriptor: own.descriptor, bytes: topManifest(own).bytes, tag: name }));
}

function conflict(name: string, one: CatalogImage, other: CatalogImage): SolpackError {
  const message = `is claimed by ${one.reference} and by ${other.reference}, which differ`;
  return new SolpackError('image-conflict', name, message, {
    hint: 'push them to different registries, or rename one of them',
  });
}
