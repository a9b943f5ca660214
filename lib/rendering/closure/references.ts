import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { fieldName, referencesIn } from '../../../formats/manifest/references.ts';

/** An image that an object makes nodes pull. */
export interface StatedReference {
  /** As the object writes it. */
  readonly reference: string;
  /** Where in the object. */
  readonly path: string;
}

/** Lists the images that an object makes nodes pull, with each place. */
export function statedReferences(object: KubernetesObject): StatedReference[] {
  return referencesIn(object, () => false)
    .filter(({ certainty, pulled }) => certainty === 'certain' && pulled)
    .map(({ reference, path }) => ({ reference, path: fieldName(path) }));
}
