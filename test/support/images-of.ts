import { byteOrder } from '../../formats/bytes.ts';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { mapImages } from '../../formats/manifest/images.ts';

/** Returns the images that `mapImages` finds in objects, sorted, each once. */
export function imagesOf(objects: readonly KubernetesObject[]): string[] {
  const found = new Set<string>();
  mapImages(objects, (image) => {
    found.add(image);
    return image;
  });
  return [...found].sort(byteOrder);
}
