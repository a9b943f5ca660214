import type { Digest } from '../../../formats/digest.ts';
import { isSbomType, predicateTypes } from '../../../formats/in-toto/predicate.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import { hintIn } from '../../../formats/sigstore/dsse-bundle.ts';
import { keyIdOfHint } from '../../../formats/sigstore/hint.ts';
import { type ContentSource, isInRegistry, type Place, type RegistryPlace } from '../../kernel/content/index.ts';
import { type Flow, fromFormat, lend, reportIfSlow, SolpackError } from '../../kernel/events/index.ts';
import { type Archive, type Catalog, type CatalogAttestation, openArchive } from '../../parts/archives/index.ts';
import { readPredicate, subjectOf } from '../../shared/solutions/attestations/index.ts';
import { placeName } from '../../shared/solutions/media/index.ts';
import { atRoot, catalogAt } from '../../shared/solutions/registries/index.ts';

/** An attestation of the Solution or of an image of it. */
export interface InspectedAttestation {
  readonly name: string;
  readonly predicateType: string;
  /** Digest of the root, or of a manifest of an image. */
  readonly subject: Digest;
  /** Reference of the image; absent where the attestation is about the Solution. */
  readonly reference?: string;
  /** Digest of the predicate. */
  readonly digest: Digest;
  /** Bytes of the predicate. */
  readonly size: number;
  /**
   * Whether its statement is signed. Absent where that was not read, because the archive is on a server and has many
   * attestations.
   */
  readonly signed?: boolean;
  /** Id of the key in the signed statement. Whether the signature holds is for `verify` to say. */
  readonly keyId?: string;
}

/**
 * Describes the attestations of a catalog. `headOf` reads the first bytes of an attestation's bundle: none where it is
 * not signed, undefined where the bundles lie too far apart to be read.
 */
export async function inspectedAttestations(
  catalog: Catalog,
  headOf: ((attestation: CatalogAttestation) => Promise<Uint8Array>) | undefined,
): Promise<InspectedAttestation[]> {
  const attestations: InspectedAttestation[] = [];
  for (const attestation of catalog.attestations) {
    const { name, predicateType, descriptor } = attestation;
    const subject = subjectOf(catalog, attestation);
    const head = await headOf?.(attestation);
    const hint = head && hintIn(head);
    attestations.push({
      name,
      predicateType,
      subject: subject.digest,
      ...(attestation.subject === undefined ? {} : { reference: subject.name }),
      digest: descriptor.digest,
      size: descriptor.size,
      ...(head === undefined ? {} : { signed: head.length > 0 }),
      ...(hint === undefined ? {} : { keyId: keyIdOfHint(hint) }),
    });
  }
  return attestations;
}

/** Which predicates to read: the provenance of the Solution, or SBOMs. `image` is a reference or a digest. */
export type WantedPredicates = { readonly kind: 'provenance' } | { readonly kind: 'sbom'; readonly image?: string };

/**
 * Passes the wanted predicates to `take`, one after another, as their authors wrote them, checked against their
 * digests. Throws `attestation-absent` if there is none, and what `inspect` throws.
 */
export async function readPredicates(
  place: Place | RegistryPlace,
  wanted: WantedPredicates,
  take: (predicate: Uint8Array) => Promise<void>,
  flow: Flow,
): Promise<void> {
  if (!isInRegistry(place)) {
    return lend(await opened(place, flow), ({ path, catalog, source }) =>
      handOut(path, catalog, source, wanted, take, flow.signal),
    );
  }
  return atRoot(place, flow, async (found) =>
    handOut(found.subject, await catalogAt(found, flow), found.source, wanted, take, flow.signal),
  );
}

function opened(place: Place, flow: Flow): Promise<Archive> {
  return reportIfSlow(flow, { step: 'open', subject: placeName(place) }, ({ signal }) => openArchive(place, signal));
}

async function handOut(
  path: string,
  catalog: Catalog,
  source: ContentSource,
  wanted: WantedPredicates,
  take: (predicate: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const found = catalog.attestations.filter((attestation) => isWanted(catalog, attestation, wanted));
  if (found.length === 0) throw absent(path, catalog, wanted);
  for (const attestation of found) {
    const predicate = await readPredicate(source, attestation, signal).catch((error) => {
      throw fromFormat('archive-damaged', path, error, `"solpack verify" lists everything that is wrong with it`);
    });
    await take(predicate);
  }
}

function isWanted(catalog: Catalog, { predicateType, subject }: CatalogAttestation, wanted: WantedPredicates): boolean {
  if (wanted.kind === 'provenance') return predicateType === predicateTypes.provenance && subject === undefined;
  if (!isSbomType(predicateType)) return false;
  const { image } = wanted;
  if (image === undefined || image === subject) return true;
  const named = catalog.images.filter(({ reference }) => reference === normal(image));
  return named.some(({ closure }) => closure.manifests.some(({ descriptor }) => descriptor.digest === subject));
}

function normal(reference: string): string {
  try {
    return formatReference(parseReference(reference));
  } catch {
    return reference;
  }
}

function absent(path: string, { attestations, images }: Catalog, wanted: WantedPredicates): SolpackError {
  const has = attestations.map(({ name }) => name).join(', ') || 'none';
  if (wanted.kind === 'provenance') {
    return new SolpackError('attestation-absent', path, 'has no provenance', { hint: 'pack it anew' });
  }
  const of = wanted.image === undefined ? '' : ` of ${wanted.image}`;
  const references = images.map(({ reference }) => reference).join(', ');
  return new SolpackError('attestation-absent', path, `has no SBOM${of}; its attestations: ${has}`, {
    hint:
      wanted.image === undefined ? 'its author can name one, or let pack make them' : `its images are ${references}`,
  });
}
