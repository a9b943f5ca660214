/** Attestations of Solutions: reads, checks and signs them in archives and registries. */

export {
  /** The signed statement of an attestation as registries keep it: a referrer of what it is about. */
  type AttestationReferrer,
  /** Makes the referrer that a registry keeps the signed statement `bytes` as. */
  attestationReferrer,
  /** Makes the referrers that the signed attestations of an archive are in a registry. */
  attestationReferrers,
} from './attestation-referrers.ts';
export {
  /** Finds signed statements among the referrers of their subjects. */
  attestationsIn,
} from './attestations-in-registry.ts';
export {
  /** Reads the bundle that an attestation has; undefined where nobody has signed it. */
  type BundleOf,
  /** An attestation of an archive, and whether somebody has signed it. */
  type CheckedAttestation,
  /** Checks the attestations of a Solution. */
  checkAttestations,
} from './check-attestations.ts';
export {
  /** Lists the predicate types of which a Solution has an attestation of itself, or of every image. */
  fulfilledTypes,
  /** Lists the manifests of an image's platforms; its own manifest where it has no index. */
  runnableManifests,
} from './predicate-types.ts';
export {
  /** Empties the slots of attestations: all, or those whose bundle names the key `keyId`. */
  emptyAttestations,
  /** Signs the attestations of an archive that nobody has signed yet, each in its slot. */
  fillAttestations,
  /** Checks that each predicate of an archive has its digest and makes a statement. */
  requireStatements,
} from './sign-attestations.ts';
export {
  /** Returns whether `bundle` leaves nothing to sign: it is somebody else's, or the signer's own and valid. */
  isTaken,
  /** Makes the statement of an attestation for signing. */
  signableStatement,
} from './signable-statement.ts';
export {
  /** Reads a predicate and checks its digest. */
  readPredicate,
  /** Makes the statement of an attestation (in-toto Statement v1). */
  readStatement,
  /** Names the subject of an attestation. */
  subjectOf,
} from './statement.ts';
export {
  /** Media types of what holds a statement, and how to open each, without a look at signatures. */
  statementWrappings,
} from './statement-wrappings.ts';
