import type { Digest } from '../../../formats/digest.ts';
import { parseReference, type Reference, readReference } from '../../../formats/oci/reference.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import type { Lock } from '../../../formats/solution/lock.ts';

/**
 * Decides by their names which images a definition has, before any source of them is opened. A digest counts if it is
 * the one that the definition or the lock has; where neither says one, the tag decides.
 */
export function definedBy(images: readonly ImageDefinition[], lock: Lock | undefined): (name: string) => boolean {
  const locked = new Map(lock?.images.map(({ reference, digest }) => [reference, digest]));
  const known = images.map(({ reference }) => {
    const parts = parseReference(reference);
    return { ...parts, digest: parts.digest ?? locked.get(reference) };
  });
  return (name) => {
    const wanted = readReference(name);
    return wanted !== undefined && known.some((one) => isSame(wanted, one));
  };
}

function isSame(
  wanted: Reference,
  known: Omit<Reference, 'digest'> & { readonly digest: Digest | undefined },
): boolean {
  if (wanted.digest !== undefined && known.digest !== undefined) return wanted.digest === known.digest;
  if (wanted.registry !== known.registry || wanted.repository !== known.repository) return false;
  if (wanted.digest !== undefined) return wanted.tag === undefined || wanted.tag === known.tag;
  return (wanted.tag ?? 'latest') === known.tag;
}
