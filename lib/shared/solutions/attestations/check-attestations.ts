import type { Digest } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { ContentSource, Finding } from '../../../kernel/content/index.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { Catalog, CatalogAttestation } from '../../../parts/archives/index.ts';
import { judgeStatement, type PublicKey, type StatementVerdict } from '../../../parts/trust/index.ts';
import { readStatement, subjectOf } from './statement.ts';

/** An attestation of an archive, and whether somebody has signed it. */
export interface CheckedAttestation {
  readonly name: string;
  readonly predicateType: string;
  /** The root, or a manifest of an image. */
  readonly subject: Digest;
  /** `unknown` is the signature of a key that was not given, which was not checked. */
  readonly signature: 'none' | StatementVerdict['kind'];
  /** Of the key that the signature names. */
  readonly keyId?: string;
}

/** Reads the bundle that an attestation has; undefined where nobody has signed it. */
export type BundleOf = (attestation: CatalogAttestation) => Promise<Uint8Array | undefined>;

/** The Solution whose attestations are checked, and the keys that they are checked by. */
export interface AttestationCheck {
  readonly catalog: Catalog;
  readonly source: ContentSource;
  readonly bundleOf: BundleOf;
  readonly keys: readonly PublicKey[];
  /** Findings so far. A predicate that one of them is about is not read again. */
  readonly found: readonly Finding[];
  readonly signal: AbortSignal;
}

/**
 * Checks the attestations of a Solution. Each predicate has to make a statement, and its bundle has to hold exactly
 * this statement. Where the bundle names one of `keys`, its signature has to be valid.
 */
export async function checkAttestations(
  check: AttestationCheck,
): Promise<{ readonly attestations: readonly CheckedAttestation[]; readonly findings: readonly Finding[] }> {
  const attestations: CheckedAttestation[] = [];
  const findings: Finding[] = [];
  const broken = new Set(check.found.map(({ subject }) => subject));
  for (const attestation of check.catalog.attestations) {
    const { name, predicateType, descriptor } = attestation;
    const { digest: subject } = subjectOf(check.catalog, attestation);
    if (broken.has(descriptor.digest)) {
      attestations.push({ name, predicateType, subject, signature: 'invalid' });
      continue;
    }
    const verdict = await judge(check, attestation);
    const keyId = verdict?.keyId === undefined ? {} : { keyId: verdict.keyId };
    attestations.push({ name, predicateType, subject, signature: verdict?.kind ?? 'none', ...keyId });
    if (verdict?.kind !== 'invalid') continue;
    findings.push({ code: 'attestation-invalid', subject: `attestation ${name}`, message: verdict.reason });
  }
  return { attestations, findings };
}

async function judge(
  { source, catalog, bundleOf, keys, signal }: AttestationCheck,
  attestation: CatalogAttestation,
): Promise<StatementVerdict | undefined> {
  try {
    const statement = await readStatement(source, catalog, attestation, signal);
    const bundle = await bundleOf(attestation);
    return bundle && judgeStatement(statement, bundle, keys);
  } catch (error) {
    const isDamage =
      error instanceof FormatError || (error instanceof SolpackError && error.code.startsWith('archive-'));
    if (!isDamage) throw error;
    return { kind: 'invalid', reason: error.message };
  }
}
