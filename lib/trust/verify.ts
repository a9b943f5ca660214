import { createHash, verify } from 'node:crypto';
import { FormatError } from '../../formats/error.ts';
import { type MessageBundle, parseBundle } from '../../formats/sigstore/bundle.ts';
import { keyIdOfHint } from '../../formats/sigstore/hint.ts';
import { readSlot } from '../../formats/sigstore/slot.ts';
import type { Finding } from '../model.ts';
import type { PublicKey, SignatureAlgorithm } from './keys.ts';

/** A signature as an archive carries it. It says who claims to have signed; only `judgeSignatures` tells whether it holds. */
export interface CarriedSignature {
  readonly slot: number;
  /** Read off the form of the signature, since bundles do not say. */
  readonly algorithm: SignatureAlgorithm;
  /** SHA-256 of the public key that the bundle names, in hexadecimal. */
  readonly keyId: string;
  readonly bundle: MessageBundle;
}

/** A slot that holds something other than a bundle. */
export interface BrokenSlot {
  readonly slot: number;
  readonly reason: string;
}

/** Reads the signature slots of an archive; an empty slot is neither a signature nor broken. */
export function readSignatures(slots: readonly Uint8Array[]): { carried: CarriedSignature[]; broken: BrokenSlot[] } {
  const carried: CarriedSignature[] = [];
  const broken: BrokenSlot[] = [];
  for (const [slot, bytes] of slots.entries()) {
    try {
      const content = readSlot(bytes);
      if (content === undefined) continue;
      const bundle = parseBundle(content);
      const algorithm = bundle.signature.length === 64 ? 'ed25519' : 'ecdsa-p256-sha256';
      carried.push({ slot, algorithm, keyId: keyIdOfHint(bundle.hint), bundle });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      broken.push({ slot, reason: error.message });
    }
  }
  return { carried, broken };
}

/** A bundle that lies in a file of its own. */
export interface DetachedBundle {
  /** How findings name it: its path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What `judgeSignatures` decides. */
export interface Judgement {
  /** Ids of the keys given that have a valid signature of the root, in a slot or in a bundle beside it. */
  readonly trusted: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Decides which of `keys` have signed `root`, in its slots or in `detached`. Pure. The algorithm is the key's, never the
 * bundle's; a bundle's own claims only select which key is tried. A bundle that claims a given key but does not hold is a
 * finding, as is a broken one.
 */
export function judgeSignatures(
  root: Uint8Array,
  slots: readonly Uint8Array[],
  keys: readonly PublicKey[],
  detached: readonly DetachedBundle[] = [],
): Judgement {
  const { claims, findings } = claimsOf(slots, detached);
  const digest = createHash('sha256').update(root).digest();
  const trusted = new Set<string>();
  for (const { where, keyId, bundle } of claims) {
    if (!digest.equals(bundle.messageDigest)) {
      findings.push(invalid(where, 'it signs another root'));
      continue;
    }
    const key = keys.find((candidate) => candidate.keyId === keyId);
    if (!key) continue;
    if (verify(key.algorithm === 'ed25519' ? null : 'sha256', root, key.key, bundle.signature)) trusted.add(keyId);
    else findings.push(invalid(where, `its signature does not verify with key ${keyId.slice(0, 16)}`));
  }
  for (const key of keys) {
    if (trusted.has(key.keyId)) continue;
    const has = claims.length === 0 ? 'the archive is not signed' : `signed by ${claims.map(shortId).join(', ')}`;
    findings.push({
      code: 'signature-untrusted',
      subject: key.keyId,
      message: `no valid signature of this key: ${has}`,
    });
  }
  return { trusted: [...trusted], findings };
}

/** Who claims to have signed, and where; what cannot be read is a finding. */
interface Claim {
  readonly where: string;
  readonly keyId: string;
  readonly bundle: MessageBundle;
}

function claimsOf(
  slots: readonly Uint8Array[],
  detached: readonly DetachedBundle[],
): { claims: Claim[]; findings: Finding[] } {
  const { carried, broken } = readSignatures(slots);
  const claims = carried.map(({ slot, keyId, bundle }): Claim => ({ where: `slot ${slot}`, keyId, bundle }));
  const findings = broken.map(({ slot, reason }) => invalid(`slot ${slot}`, reason));
  for (const { name, bytes } of detached) {
    try {
      const bundle = parseBundle(bytes);
      claims.push({ where: name, keyId: keyIdOfHint(bundle.hint), bundle });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      findings.push(invalid(name, error.message));
    }
  }
  return { claims, findings };
}

function invalid(subject: string, message: string): Finding {
  return { code: 'signature-invalid', subject, message };
}

function shortId({ keyId }: Claim): string {
  return keyId.slice(0, 16);
}
