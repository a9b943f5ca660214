import { FormatError } from '../../../formats/error.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import { type Closure, closureOf, type Manifests } from '../../kernel/content/index.ts';
import { keepPlatforms } from './platforms.ts';

/**
 * Gives what an entry of a root reaches. Entries that name the same get the same closure: there may be thousands of
 * them.
 */
export type ClosureFor = (entry: Descriptor) => Promise<Closure>;

/** Makes each closure when it is first asked for. */
export function sharedClosures(manifests: Manifests, signal?: AbortSignal): ClosureFor {
  const known = new Map<string, Promise<Closure>>();
  return (entry) => {
    const platforms = entry.annotations?.[solutionAnnotations.platforms];
    const leftOut = entry.annotations?.[solutionAnnotations.leftOut];
    const key = JSON.stringify([entry.digest, entry.size, entry.mediaType, platforms, leftOut]);
    const keep = platforms === undefined ? undefined : keepPlatforms(platforms.split(','), leftOut?.split(','));
    const closure = known.get(key) ?? closureOf(manifests, entry, { signal, keep });
    known.set(key, closure);
    return closure;
  };
}

/** Counts the things of a closure. */
export function countClosure({ manifests, blobs, absent }: Closure): number {
  return manifests.length + blobs.length + absent.length;
}

/** Returns the reference of an image in a root. Throws `FormatError` `solution-invalid`. */
export function referenceOf({ digest, annotations: notes }: Descriptor): string {
  const reference = notes?.[annotations.refName];
  if (reference === undefined) throw new FormatError('solution-invalid', `image ${digest} has no reference`);
  return reference;
}
