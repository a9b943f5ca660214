import { type ReadAt, window } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { bundleMediaType } from '../../../../formats/sigstore/bundle.ts';
import { parseOwnStatementBundle } from '../../../../formats/sigstore/dsse-bundle.ts';
import { type ReferrerContent, statementReferrer } from '../../../../formats/sigstore/referrer.ts';
import {
  type Archive,
  attestationSlotReader,
  type Catalog,
  type CatalogAttestation,
  readAttestationSlot,
} from '../../../parts/archives/index.ts';
import { subjectOf } from './statement.ts';

/** The signed statement of an attestation as registries keep it: a referrer of what it is about. */
export interface AttestationReferrer {
  readonly subject: Descriptor;
  readonly manifest: ReferrerContent;
  /** The empty config. */
  readonly config: ReferrerContent;
  readonly bundle: Descriptor;
  /** The bytes of the bundle, unchecked: where they lie in the archive, or in memory. */
  readonly content: ReadAt;
}

/**
 * Makes the referrer that a registry keeps the signed statement `bytes` as. `content` reads the same bytes where they
 * lie.
 */
export function attestationReferrer(
  catalog: Catalog,
  attestation: CatalogAttestation,
  bytes: Uint8Array,
  content: ReadAt,
): AttestationReferrer {
  const bundle = { mediaType: bundleMediaType, digest: sha256(bytes), size: bytes.length };
  const { mediaType, digest, size } = subjectOf(catalog, attestation);
  const subject = { mediaType, digest, size };
  const { name, predicateType } = attestation;
  return { subject, bundle, content, ...statementReferrer(bundle, subject, name, predicateType) };
}

/**
 * Makes the referrers that the signed attestations of an archive are in a registry. Each bundle is read once for its
 * digest, and not kept in memory. `onSkip` is called with slots that hold no bundle of their attestation.
 */
export async function attestationReferrers(
  archive: Archive,
  onSkip: (message: string) => void,
): Promise<AttestationReferrer[]> {
  const referrers: AttestationReferrer[] = [];
  for (const attestation of archive.catalog.attestations) {
    try {
      const bytes = await readAttestationSlot(archive, attestation);
      const slot = await attestationSlotReader(archive, attestation);
      if (!bytes || !slot) continue;
      parseOwnStatementBundle(bytes);
      referrers.push(attestationReferrer(archive.catalog, attestation, bytes, window(slot, 0, bytes.length)));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      onSkip(`the slot of the attestation ${attestation.name} does not hold a bundle of it; it is not sent`);
    }
  }
  return referrers;
}
