import { collect } from '../../../../formats/bytes.ts';
import { verified } from '../../../../formats/digest.ts';
import { PREDICATE_LIMIT } from '../../../../formats/in-toto/predicate.ts';
import { encodeStatement, type StatementSubject } from '../../../../formats/in-toto/statement.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import type { ContentSource } from '../../../kernel/content/index.ts';
import type { Catalog, CatalogAttestation } from '../../../parts/archives/index.ts';

/**
 * Names the subject of an attestation: the root by the Solution's name and version, or a manifest by its image's
 * reference.
 */
export function subjectOf(catalog: Catalog, attestation: CatalogAttestation): StatementSubject & Descriptor {
  const { root, metadata, attested } = catalog;
  const { subject } = attestation;
  if (subject === undefined) return { ...root, name: `${metadata.name}:${metadata.version}` };
  const found = attested.get(subject);
  if (found) return found;
  throw new Error(`${attestation.name} is about ${subject}, which readCatalog should have refused`);
}

/** Reads a predicate and checks its digest. */
export async function readPredicate(
  source: ContentSource,
  { descriptor }: CatalogAttestation,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return collect(verified(source.open(descriptor, { signal }), descriptor), PREDICATE_LIMIT);
}

/**
 * Makes the statement of an attestation (in-toto Statement v1). It depends on the root and the predicate alone, so that
 * who signs it and who checks it have the same bytes. Throws `FormatError` `attestation-invalid` where the predicate is
 * no JSON object.
 */
export async function readStatement(
  source: ContentSource,
  catalog: Catalog,
  attestation: CatalogAttestation,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { name, digest } = subjectOf(catalog, attestation);
  return encodeStatement({ name, digest }, attestation.predicateType, await readPredicate(source, attestation, signal));
}
