import { createHash } from 'node:crypto';
import { FormatError } from '../../../formats/error.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { type MessageBundle, parseBundle } from '../../../formats/sigstore/bundle.ts';
import { keyIdOfHint } from '../../../formats/sigstore/hint.ts';
import { readSlot } from '../../../formats/sigstore/slot.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { isSignature, type PublicKey, type SignatureAlgorithm } from './keys.ts';

/**
 * A signature as an archive carries it. It says who claims to have signed; only `checkSignatures` says whether it
 * holds.
 */
export interface CarriedSignature {
  readonly slot: number;
  /** Read off the form of the signature, because bundles do not say. */
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
      carried.push({ slot, algorithm: algorithmOf(bundle.signature), keyId: keyIdOfHint(bundle.hint), bundle });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      broken.push({ slot, reason: error.message });
    }
  }
  return { carried, broken };
}

/** A bundle in a file of its own. */
export interface DetachedBundle {
  /** How findings name it: its path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A signature that was found, and what it is worth. */
export interface CheckedSignature {
  /** How findings name it: a slot, or the path of a file. */
  readonly where: string;
  readonly slot: number | undefined;
  /** Id of the key that it names; undefined where it cannot be read. */
  readonly keyId: string | undefined;
  /**
   * `unknown`: of a key that nobody gave, so it was not verified. `broken`: no key could make it one of these bytes.
   */
  readonly worth: 'valid' | 'wrong' | 'unknown' | 'broken';
  /** Why it is `wrong` or `broken`. */
  readonly reason?: string;
}

/** What says whether a signature holds: `isSignature`, unless somebody counts. */
export type Verifier = typeof isSignature;

/**
 * Checks the signatures of `root` in its slots and in `detached`, each once, whatever is decided by them afterwards.
 * Pure. The algorithm is the key's, never the bundle's; a bundle's own claims only select which of `keys` is tried.
 * Those that cannot be read come first.
 */
export function checkSignatures(
  root: Uint8Array,
  slots: readonly Uint8Array[],
  keys: readonly PublicKey[],
  detached: readonly DetachedBundle[] = [],
  verifier: Verifier = isSignature,
): readonly CheckedSignature[] {
  const { claims, broken } = claimsOf(slots, detached);
  const digest = createHash('sha256').update(root).digest();
  const checked = claims.map(({ bundle, ...claim }): CheckedSignature => {
    if (!digest.equals(bundle.messageDigest)) return { ...claim, worth: 'broken', reason: 'it signs another root' };
    const key = keys.find(({ keyId }) => keyId === claim.keyId);
    if (!key) return { ...claim, worth: 'unknown' };
    if (verifier(bundle.signature, root, key)) return { ...claim, worth: 'valid' };
    return { ...claim, worth: 'wrong', reason: `its signature does not verify with key ${shortKey(key.keyId)}` };
  });
  return [...broken, ...checked];
}

/** Ids of the keys that have valid signatures, one for each of these. */
export function validKeys(checked: readonly CheckedSignature[]): readonly string[] {
  return checked.flatMap(({ keyId, worth }) => (worth === 'valid' && keyId !== undefined ? [keyId] : []));
}

/** What is wrong with signatures: a finding for each that does not hold. */
export function invalidOf(checked: readonly CheckedSignature[]): Finding[] {
  return checked.flatMap(({ where, reason }): Finding[] =>
    reason === undefined ? [] : [{ code: 'signature-invalid', subject: where, message: reason }],
  );
}

/** What `judgeSignatures` decides. */
export interface Judgement {
  /** Ids of the keys given that have a valid signature of the root, in a slot or in a bundle beside it. */
  readonly trusted: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Decides which of `keys` have signed `root`, in its slots or in `detached`. Pure. A bundle that claims a given key but
 * does not hold is a finding, as is a broken one.
 */
export function judgeSignatures(
  root: Uint8Array,
  slots: readonly Uint8Array[],
  keys: readonly PublicKey[],
  detached: readonly DetachedBundle[] = [],
): Judgement {
  const checked = checkSignatures(root, slots, keys, detached);
  const trusted = [...new Set(validKeys(checked))];
  const claimed = checked.flatMap(({ keyId }) => (keyId === undefined ? [] : [shortKey(keyId)]));
  const has = claimed.length === 0 ? 'the archive is not signed' : `signed by ${claimed.join(', ')}`;
  const untrusted = keys
    .filter(({ keyId }) => !trusted.includes(keyId))
    .map(({ keyId }): Finding => {
      return { code: 'signature-untrusted', subject: keyId, message: `no valid signature of this key: ${has}` };
    });
  return { trusted, findings: [...invalidOf(checked), ...untrusted] };
}

/** What the signatures claim that can be read: which key has signed, and by what. */
export function claimedSignatures(
  slots: readonly Uint8Array[],
  detached: readonly DetachedBundle[],
): readonly Pick<CarriedSignature & MessageBundle, 'keyId' | 'algorithm' | 'signature'>[] {
  return claimsOf(slots, detached).claims.map(({ keyId, bundle: { signature } }) => {
    return { keyId, algorithm: algorithmOf(signature), signature };
  });
}

/** A signature that could be read. */
interface Claim extends Pick<CheckedSignature, 'where' | 'slot'> {
  readonly keyId: string;
  readonly bundle: MessageBundle;
}

function claimsOf(
  slots: readonly Uint8Array[],
  detached: readonly DetachedBundle[],
): { claims: Claim[]; broken: CheckedSignature[] } {
  const { carried, broken: damaged } = readSignatures(slots);
  const claims = carried.map(({ slot, keyId, bundle }): Claim => ({ where: `slot ${slot}`, slot, keyId, bundle }));
  const broken = damaged.map(({ slot, reason }) => brokenOne(`slot ${slot}`, slot, reason));
  for (const { name: where, bytes } of detached) {
    try {
      const bundle = parseBundle(bytes);
      claims.push({ where, slot: undefined, keyId: keyIdOfHint(bundle.hint), bundle });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      broken.push(brokenOne(where, undefined, error.message));
    }
  }
  return { claims, broken };
}

/** Bundles do not say by what algorithm they were made; the forms of the two differ. */
function algorithmOf(signature: Uint8Array): SignatureAlgorithm {
  return signature.length === 64 ? 'ed25519' : 'ecdsa-p256-sha256';
}

function brokenOne(where: string, slot: number | undefined, reason: string): CheckedSignature {
  return { where, slot, keyId: undefined, worth: 'broken', reason };
}
