import { p256 } from '@noble/curves/nist.js';

/**
 * Returns the public keys of P-256, as uncompressed points, by which `signature` (ECDSA, DER) is one of a message with
 * this SHA-256: a signature leaves a few possible (SEC 1 §4.1.6). None where it is no signature.
 */
export function recoverP256(signature: Uint8Array, digest: Uint8Array): Uint8Array[] {
  return [0, 1, 2, 3].flatMap((bit) => {
    try {
      const known = p256.Signature.fromBytes(signature, 'der').addRecoveryBit(bit);
      return [known.recoverPublicKey(digest).toBytes(false)];
    } catch {
      return [];
    }
  });
}
