import { formatReference, readReference } from '../../../formats/oci/reference.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { CatalogImage } from '../../parts/archives/index.ts';

/** How many names an error lists. */
const NAMED = 5;

/**
 * Finds the images that `wanted` names: references in any spelling, or digests; all of them where it names none. Throws
 * `image-absent`.
 */
export function chooseImages(
  images: readonly CatalogImage[],
  wanted: readonly string[],
  archive: string,
): readonly CatalogImage[] {
  if (wanted.length === 0) return images;
  const chosen = wanted.map((name) => images.find((image) => isNamed(image, name)) ?? absent(name, images, archive));
  return [...new Set(chosen)];
}

function isNamed({ reference, descriptor }: CatalogImage, name: string): boolean {
  if (name === descriptor.digest || name === reference) return true;
  const [own, asked] = [readReference(reference), readReference(name)];
  if (own === undefined || asked === undefined) return false;
  if (asked.digest === undefined) return formatReference(asked) === formatReference(own);
  return asked.digest === descriptor.digest && asked.registry === own.registry && asked.repository === own.repository;
}

function absent(name: string, images: readonly CatalogImage[], archive: string): never {
  const known = images.map(({ reference }) => reference);
  const more = known.length > NAMED ? ` and ${known.length - NAMED} more` : '';
  const hint = known.length === 0 ? 'name another archive' : `it holds ${known.slice(0, NAMED).join(', ')}${more}`;
  throw new SolpackError('image-absent', name, `is not in ${archive}`, { hint });
}
