import type { UsedImage } from './used-images.ts';

/** Where an image is named. */
export interface ImagePlace {
  readonly component: string;
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
  /** Names of fields and numbers of entries, with dots between. */
  readonly path: string;
  /** Whether the name there was replaced by that by which nodes pull; absent where nodes pull by the image's own. */
  readonly rewritten?: boolean;
}

/** An image, and all places where it is named. */
export interface ReportedImage {
  /** As it is named there. */
  readonly reference: string;
  readonly held: boolean;
  /** `certain` where a container runs it or a volume mounts it, in one place at least. */
  readonly certainty: 'certain' | 'likely';
  readonly places: readonly ImagePlace[];
}

/** Groups the places of images by the names that are written there, in the order in which these were found. */
export function reportImages(used: readonly UsedImage[]): ReportedImage[] {
  const images = new Map<string, { held: boolean; certainty: 'certain' | 'likely'; places: Map<string, ImagePlace> }>();
  for (const { reference, held, certainty, component, object, path, target, rewritten } of used) {
    const known = images.get(reference) ?? { held, certainty, places: new Map() };
    if (certainty === 'certain') known.certainty = certainty;
    const place = { component, object, path, ...(target === undefined ? {} : { rewritten }) };
    known.places.set(JSON.stringify([component, object, path]), place);
    images.set(reference, known);
  }
  return [...images].map(([reference, { held, certainty, places }]) => ({
    reference,
    held,
    certainty,
    places: [...places.values()],
  }));
}
