import { type Digest, sha256 } from '../../../formats/digest.ts';
import type { ContentSource, Finding } from '../../kernel/content/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import { type DetachedBundle, judgeSignatures, judgeTrust, type Trust, withKeysOf } from '../../parts/trust/index.ts';
import {
  type BundleOf,
  type CheckedAttestation,
  checkAttestations,
  fulfilledTypes,
} from '../../shared/solutions/attestations/index.ts';
import type { CheckedDelta } from './checked-delta.ts';
import { isCut } from './cut.ts';
import { withOwners } from './whose-content.ts';

/** The result of checking a medium that solpack did not pack. */
export interface CheckedMedium {
  readonly kind: 'metalk8s';
  /** How it describes itself: `manifest.yaml` from MetalK8s 2.5.1 on, `product.txt` before. */
  readonly era: 'manifest' | 'product';
  /** Files whose bytes nothing vouches for; none where a signature that counts does, or a checksum of the whole. */
  readonly unproved: readonly string[];
  /** The file beside it that says its SHA-256, and what that is; absent where there is none. */
  readonly checksum?: { readonly path: string; readonly digest: Digest } | undefined;
}

/** The result of a verification. */
export interface Verification {
  /** No finding at all. */
  readonly ok: boolean;
  /** Whether the root is what `trust` asks for; undefined where nobody was named to trust. */
  readonly trusted: boolean | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly root: Digest;
  /** Bytes of the archive that were read and compared. */
  readonly size: number;
  /** Whether contents alone were checked, and not the bytes between them. */
  readonly contentOnly: boolean;
  /** Ids of the keys whose signatures count. */
  readonly signers: readonly string[];
  /** What is said about the Solution and its images, and whether somebody has signed it. */
  readonly attestations: readonly CheckedAttestation[];
  readonly findings: readonly Finding[];
  /** Absent where solpack packed it. */
  readonly medium?: CheckedMedium;
  /** What it lacks; absent where it is whole. */
  readonly delta?: CheckedDelta;
}

/** What was checked of a Solution, wherever it lies. */
export interface Checked {
  readonly rootBytes: Uint8Array;
  /** Undefined where the root cannot be followed. */
  readonly catalog: Catalog | undefined;
  /** What is wrong with its bytes. */
  readonly findings: readonly Finding[];
  /** Its signature slots. */
  readonly slots: readonly Uint8Array[];
  /** Signatures in files of their own. */
  readonly bundles: readonly DetachedBundle[];
  readonly source: ContentSource;
  readonly bundleOf: BundleOf;
  readonly size: number;
  readonly contentOnly: boolean;
}

/**
 * Judges signatures and attestations of what was checked, by the keys that `trust` knows, and joins all that was found.
 */
export async function verificationOf(
  { rootBytes, catalog, findings, slots, bundles, source, bundleOf, size, contentOnly }: Checked,
  asked: Trust | undefined,
  signal: AbortSignal,
): Promise<Verification> {
  const trust = asked && withKeysOf(asked, { root: rootBytes, slots, bundles });
  const predicates = catalog ? fulfilledTypes(catalog) : [];
  const images = (catalog?.images ?? []).map(({ reference }) => reference);
  const evidence = { root: rootBytes, slots, bundles, metadata: catalog?.metadata, predicates, images };
  const judged = trust && judgeTrust(evidence, trust);
  // Whether these keys may speak for the Solution is decided by the signatures of its root.
  const keys = [...(trust?.policy.keys.values() ?? [])].map(({ key }) => key);
  const attested = catalog && (await checkAttestations({ catalog, source, bundleOf, keys, found: findings, signal }));
  const all = [
    ...(catalog ? withOwners(findings, catalog) : findings),
    // What an archive says about itself may lie in the end that it lacks.
    ...(isCut(findings) ? [] : (attested?.findings ?? [])),
    ...(judged ?? judgeSignatures(rootBytes, slots, [], bundles)).findings,
  ];
  return {
    ok: all.length === 0,
    trusted: judged?.trusted,
    name: catalog?.metadata.name,
    version: catalog?.metadata.version,
    root: sha256(rootBytes),
    size,
    contentOnly,
    signers: judged?.signers ?? [],
    attestations: attested?.attestations ?? [],
    findings: all,
  };
}
