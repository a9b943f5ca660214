import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { mapImages } from '../../../formats/manifest/images.ts';

/** An image that an object makes nodes pull. */
export interface StatedReference {
  /** As the object writes it. */
  readonly reference: string;
  /** Where in the object; empty where that is not known. */
  readonly path: string;
}

/** Lists the images that an object makes nodes pull, each once. */
export function statedReferences(object: KubernetesObject): StatedReference[] {
  const found = new Set<string>();
  mapImages([object], (image, pulled) => {
    if (pulled) found.add(image);
    return image;
  });
  return [...found].map((reference) => ({ reference, path: '' }));
}
