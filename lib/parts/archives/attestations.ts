import { type Digest, isDigest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { PREDICATE_LIMIT } from '../../../formats/in-toto/predicate.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { solutionAnnotations, solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Budget, Closure } from '../../kernel/content/index.ts';
import type { Attested, CatalogAttestation } from './catalog.ts';

/** Bytes that a slot may have: more than the largest statement needs. */
const SLOT_LIMIT = 2 * PREDICATE_LIMIT;

const folder = '.solpack/attestations/';

/** The path of a predicate. */
export function predicatePath(name: string): string {
  return `${folder}${name}.json`;
}

/** Returns the path of the slot for an attestation's bundle. */
export function attestationSlotPath({ name }: CatalogAttestation): string {
  return `${folder}${name}.sigstore.json`;
}

/** Returns whether a name is one that an attestation may have: its paths are never those of another one's. */
export function isAttestationName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/.test(name) && !name.endsWith('.sigstore');
}

/** Returns whether a layer of the solution artifact is a predicate. */
export function isAttestation({ mediaType }: Descriptor): boolean {
  return mediaType === solutionTypes.predicate;
}

/** Reads what a layer says of the predicate in it. Throws `FormatError` `solution-invalid`. */
export function attestationOf(layer: Descriptor): CatalogAttestation {
  const invalid = (why: string): FormatError =>
    new FormatError('solution-invalid', `the predicate ${layer.digest} ${why}`);
  const {
    [annotations.title]: path = '',
    [solutionAnnotations.predicateType]: predicateType,
    [solutionAnnotations.attested]: subject,
    [solutionAnnotations.attestationSlot]: slot = '',
  } = layer.annotations ?? {};
  const name = path.slice(folder.length, -'.json'.length);
  if (path !== predicatePath(name) || !isAttestationName(name)) throw invalid('has a path that no predicate may have');
  if (!predicateType) throw invalid('has no type');
  if (subject !== undefined && !isDigest(subject)) throw invalid('names a subject that is not a digest');
  if (layer.size > PREDICATE_LIMIT) {
    const [size, most] = sizePair(layer.size, PREDICATE_LIMIT);
    throw invalid(`has ${size}, more than ${most}`);
  }
  const slotSize = /^[1-9][0-9]{0,8}$/.test(slot) ? Number(slot) : 0;
  if (slotSize < layer.size || slotSize > SLOT_LIMIT || slotSize % 512 !== 0)
    throw invalid('has no slot of a size that fits');
  return { name, path, predicateType, subject, descriptor: layer, slotSize };
}

/**
 * The manifests that something is said about. Throws `FormatError` `solution-invalid` where the archive does not hold
 * one.
 */
export function attestedBy(
  attestations: readonly CatalogAttestation[],
  images: readonly { readonly reference: string; readonly closure: Closure }[],
): ReadonlyMap<Digest, Attested> {
  const wanted = new Set(attestations.map(({ subject }) => subject));
  const found = new Map<Digest, Attested>();
  for (const { reference, closure } of images) {
    for (const { descriptor } of closure.manifests) {
      const { digest } = descriptor;
      if (wanted.has(digest) && !found.has(digest)) found.set(digest, { ...descriptor, name: reference });
    }
  }
  const lost = attestations.find(({ subject }) => subject !== undefined && !found.has(subject));
  if (!lost) return found;
  const message = `the attestation ${lost.name} is about ${lost.subject}, which is not in the archive`;
  throw new FormatError('solution-invalid', message);
}

/** Counts predicates that several attestations have: each is read and judged for every one of them. */
export function countRepeated(attestations: readonly CatalogAttestation[], budget: Budget): void {
  const seen = new Set<Digest>();
  for (const { descriptor } of attestations) {
    if (seen.has(descriptor.digest)) budget.read(descriptor.size);
    seen.add(descriptor.digest);
  }
}
