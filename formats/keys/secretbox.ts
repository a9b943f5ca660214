import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** Bytes of the authenticator at the beginning of a box. */
const TAG = 16;

/**
 * Opens a NaCl secretbox (XSalsa20-Poly1305: Bernstein, "Cryptography in NaCl", §10). Returns the message, or undefined
 * if the box was not made with this key of 32 bytes and this nonce of 24. Boxes are only opened here, never made.
 */
export function openSecretbox(key: Uint8Array, nonce: Uint8Array, box: Uint8Array): Uint8Array | undefined {
  if (box.length < TAG) return undefined;
  try {
    return xsalsa20poly1305(key, nonce).decrypt(box);
  } catch {
    return undefined;
  }
}
