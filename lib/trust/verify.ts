import { createHash, verify } from 'node:crypto';
import { FormatError } from '../../formats/error.ts';
import { type MessageBundle, parseBundle } from '../../formats/sigstore/bundle.ts';
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
      const keyId = Buffer.from(bundle.hint, 'base64').toString('hex');
      carried.push({
        slot,
        algorithm: bundle.signature.length === 64 ? 'ed25519' : 'ecdsa-p256-sha256',
        keyId,
        bundle,
      });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      broken.push({ slot, reason: error.message });
    }
  }
  return { carried, broken };
}

/** What `judgeSignatures` decides. */
export interface Judgement {
  /** Ids of the keys given that have a valid signature of the root in a slot. */
  readonly trusted: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Decides which of `keys` have signed `root`. Pure. The algorithm is the key's, never the bundle's; a bundle's own
 * claims only select which key is tried. A slot that claims a given key but does not hold is a finding, as is a broken slot.
 */
export function judgeSignatures(root: Uint8Array, slots: readonly Uint8Array[], keys: readonly PublicKey[]): Judgement {
  const { carried, broken } = readSignatures(slots);
  const digest = createHash('sha256').update(root).digest();
  const findings: Finding[] = broken.map(({ slot, reason }) => invalid(slot, reason));
  const trusted = new Set<string>();
  for (const { slot, keyId, bundle } of carried) {
    if (!digest.equals(bundle.messageDigest)) {
      findings.push(invalid(slot, 'it signs another root'));
      continue;
    }
    const key = keys.find((candidate) => candidate.keyId === keyId);
    if (!key) continue;
    if (verify(key.algorithm === 'ed25519' ? null : 'sha256', root, key.key, bundle.signature)) trusted.add(keyId);
    else findings.push(invalid(slot, `its signature does not verify with key ${keyId.slice(0, 16)}`));
  }
  for (const key of keys) {
    if (trusted.has(key.keyId)) continue;
    const has = carried.length === 0 ? 'the archive is not signed' : `signed by ${carried.map(shortId).join(', ')}`;
    findings.push({
      code: 'signature-untrusted',
      subject: key.keyId,
      message: `no valid signature of this key: ${has}`,
    });
  }
  return { trusted: [...trusted], findings };
}

function invalid(slot: number, message: string): Finding {
  return { code: 'signature-invalid', subject: `slot ${slot}`, message };
}

function shortId({ keyId }: CarriedSignature): string {
  return keyId.slice(0, 16);
}
