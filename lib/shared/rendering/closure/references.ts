import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import { fieldName, type ImageReference, referencesIn } from '../../../../formats/manifest/references.ts';
import type { StatedObject } from '../../../parts/components/index.ts';

/** An image that an object makes nodes pull, or seems to. */
export interface StatedReference extends Pick<ImageReference, 'reference' | 'certainty'> {
  /** Where in the object. */
  readonly path: string;
}

/**
 * Lists the images that an object makes nodes pull, or seems to, with each place, and those that its component says it
 * uses.
 */
export type ReadReferences = (stated: Pick<StatedObject, 'object' | 'images'>) => readonly StatedReference[];

/** Makes a reader of references that looks through each object once, however often it is asked. */
export function referenceReader(isHeld: (name: string) => boolean): ReadReferences {
  const known = new WeakMap<KubernetesObject, readonly StatedReference[]>();
  return ({ object, images = [] }) => {
    const found =
      known.get(object) ??
      referencesIn(object, isHeld)
        .filter(({ pulled }) => pulled)
        .map(({ reference, certainty, path }) => ({ reference, certainty, path: fieldName(path) }));
    known.set(object, found);
    return [...found, ...images];
  };
}
