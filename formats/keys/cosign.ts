import { FormatError } from '../error.ts';
import { decodeJson } from '../json.ts';
import { z } from '../schema.ts';
import { decodePem } from './pem.ts';

/** The PEM labels of private keys that cosign made. Its first versions wrote the second one. */
export const cosignLabels: readonly string[] = ['ENCRYPTED SIGSTORE PRIVATE KEY', 'ENCRYPTED COSIGN PRIVATE KEY'];

const bytes = z.base64().transform((value): Uint8Array => Buffer.from(value, 'base64'));

/** The most memory that scrypt may take for a key, in bytes: no file may ask for all there is. */
const MEMORY = 192 * 1024 * 1024;

const schema = z.object({
  kdf: z.object({
    name: z.literal('scrypt'),
    params: z
      .object({
        N: z.int().min(2),
        r: z.int().min(1).max(64),
        p: z.int().min(1).max(16),
      })
      .refine(({ N, r }) => Number.isInteger(Math.log2(N)) && 128 * N * r <= MEMORY, 'demands too much work'),
    salt: bytes,
  }),
  cipher: z.object({
    name: z.literal('nacl/secretbox'),
    nonce: bytes.refine(({ length }) => length === 24, 'is not 24 bytes long'),
  }),
  ciphertext: bytes,
});

/**
 * A private key as cosign stores it: a PKCS#8 PrivateKeyInfo in a NaCl secretbox. scrypt makes the key of the box from
 * a passphrase.
 */
export interface CosignKey {
  /** The cost, block size and parallelization of scrypt (RFC 7914 §2). */
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  readonly box: Uint8Array;
}

/** Parses a private key that cosign made, from PEM. Throws `FormatError` `key-invalid`. */
export function parseCosignKey(label: string, pem: string): CosignKey {
  if (!cosignLabels.includes(label)) throw new FormatError('key-invalid', `${label} is not a key of cosign`);
  const { kdf, cipher, ciphertext } = decodeJson(decodePem(label, pem), schema, 'key-invalid', 'key of cosign');
  return { ...kdf.params, salt: kdf.salt, nonce: cipher.nonce, box: ciphertext };
}
