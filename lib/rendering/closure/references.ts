import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { fieldName, type ImageReference, referencesIn } from '../../../formats/manifest/references.ts';

/** An image that an object makes nodes pull, or seems to. */
export interface StatedReference extends Pick<ImageReference, 'reference' | 'certainty'> {
  /** Where in the object. */
  readonly path: string;
}

/** Lists the images that an object makes nodes pull, or seems to, with each place. */
export type ReadReferences = (object: KubernetesObject) => readonly StatedReference[];

/** Makes a reader of references that looks through each object once, however often it is asked. */
export function referenceReader(isHeld: (name: string) => boolean): ReadReferences {
  const known = new WeakMap<KubernetesObject, readonly StatedReference[]>();
  return (object) => {
    const found =
      known.get(object) ??
      referencesIn(object, isHeld)
        .filter(({ pulled }) => pulled)
        .map(({ reference, certainty, path }) => ({ reference, certainty, path: fieldName(path) }));
    known.set(object, found);
    return found;
  };
}
