import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { fieldName, type ImageReference, referencesIn } from '../../../formats/manifest/references.ts';

/** An image that an object makes nodes pull, or seems to. */
export interface StatedReference extends Pick<ImageReference, 'reference' | 'certainty'> {
  /** Where in the object. */
  readonly path: string;
}

/** Lists the images that an object makes nodes pull, or seems to, with each place. */
export function statedReferences(object: KubernetesObject, isHeld: (name: string) => boolean): StatedReference[] {
  return referencesIn(object, isHeld)
    .filter(({ pulled }) => pulled)
    .map(({ reference, certainty, path }) => ({ reference, certainty, path: fieldName(path) }));
}
