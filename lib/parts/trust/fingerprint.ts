import { createHash, createPublicKey } from 'node:crypto';
import { recoverP256 } from '../../../formats/keys/recover.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { type PublicKey, publicKeyOf } from './keys.ts';
import { type Policy, policyOfKeys } from './policy.ts';
import { claimedSignatures, type DetachedBundle } from './verify.ts';

/** The policy that fingerprints alone stand for, such as those on paper: one of these keys has to have signed. */
export function policyOfFingerprints(fingerprints: readonly string[]): Policy {
  const { rules, ...rest } = policyOfKeys([]);
  return { ...rest, rules: rules.map((rule) => ({ ...rule, keys: [...fingerprints] })) };
}

/**
 * Adds to a policy the keys that it knows by their fingerprints alone, as far as signatures of `root` tell them. A
 * signature of ECDSA leaves a few keys possible, and the fingerprint says which one it is. Throws `key-invalid` for one
 * of Ed25519, which says nothing of its key.
 */
export function withRecoveredKeys(
  policy: Policy,
  root: Uint8Array,
  slots: readonly Uint8Array[],
  bundles: readonly DetachedBundle[],
): Policy {
  const wanted = policy.rules.flatMap(({ keys }) => keys).filter((id) => !policy.keys.has(id));
  if (wanted.length === 0) return policy;
  const digest = createHash('sha256').update(root).digest();
  const known = new Map(policy.keys);
  for (const { keyId, algorithm, signature } of claimedSignatures(slots, bundles)) {
    if (!wanted.includes(keyId) || known.has(keyId)) continue;
    if (algorithm === 'ed25519') {
      throw new SolpackError(
        'key-invalid',
        `key ${shortKey(keyId)}`,
        'is of an Ed25519 key, whose signatures do not include the public key',
        {
          hint: 'name its file too, which is compared with the fingerprint: --key NAME.pub',
        },
      );
    }
    const key = recoverP256(signature, digest)
      .map((point) => keyOfPoint(point))
      .find((one) => one.keyId === keyId);
    if (key) known.set(keyId, { key, status: 'active', notBefore: undefined, notAfter: undefined });
  }
  return { ...policy, keys: known };
}

function keyOfPoint(point: Uint8Array): PublicKey {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => Buffer.from(part).toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y! };
  return publicKeyOf(createPublicKey({ key: jwk, format: 'jwk' }), 'the key of a signature');
}
