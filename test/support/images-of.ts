import { byteOrder } from '../../formats/bytes.ts';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { referencesIn } from '../../formats/manifest/references.ts';

/** Returns the images of containers and volumes of objects, sorted, each once. */
export function imagesOf(objects: readonly KubernetesObject[]): string[] {
  const found = objects.flatMap((object) => referencesIn(object, () => false));
  const certain = found.filter(({ certainty }) => certainty === 'certain');
  return [...new Set(certain.map(({ reference }) => reference))].sort(byteOrder);
}
