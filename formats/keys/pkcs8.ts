import { integer, nothing, octets, oid, sequence } from './der.ts';

const oids = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
} as const;

/** A private key that AES-256-CBC encrypted. PBKDF2 by HMAC-SHA-256 made the key of the cipher from a passphrase. */
export interface EncryptedKey {
  readonly salt: Uint8Array;
  /** The number of iterations of PBKDF2. */
  readonly iterations: number;
  /** 16 bytes. */
  readonly iv: Uint8Array;
  /** The PKCS#8 PrivateKeyInfo after encryption. */
  readonly ciphertext: Uint8Array;
}

/** Encodes an `EncryptedPrivateKeyInfo` in DER (RFC 5958 §3) by PBES2 (RFC 8018 §6.2, appendix A.2 to A.4). */
export function encodeEncryptedKey({ salt, iterations, iv, ciphertext }: EncryptedKey): Uint8Array {
  const prf = sequence(oid(oids.hmacSha256), nothing);
  const derivation = sequence(oid(oids.pbkdf2), sequence(octets(salt), integer(iterations), prf));
  const cipher = sequence(oid(oids.aes256Cbc), octets(iv));
  return sequence(sequence(oid(oids.pbes2), sequence(derivation, cipher)), octets(ciphertext));
}
