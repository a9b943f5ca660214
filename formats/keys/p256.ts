import { p256 } from '@noble/curves/nist.js';
import { encodeEcdsa } from './ecdsa.ts';

/**
 * Signs a SHA-256 digest by ECDSA on P-256 (FIPS 186-5 §6.4.2). `secret` is the private key: 32 bytes, big-endian. What
 * others draw at random is drawn from key and digest (RFC 6979 §3.2), so the same digest always has the same signature
 * by a key. Returns an `ECDSA-Sig-Value` in DER.
 */
export function signP256(digest: Uint8Array, secret: Uint8Array): Uint8Array {
  return encodeEcdsa(
    p256.sign(digest, secret, { prehash: false, lowS: false, extraEntropy: false, format: 'compact' }),
  );
}
