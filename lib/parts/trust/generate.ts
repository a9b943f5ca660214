import { createCipheriv, generateKeyPairSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { encodePem } from '../../../formats/keys/pem.ts';
import { encodeEncryptedKey } from '../../../formats/keys/pkcs8.ts';
import { publicKeyOf, type SignatureAlgorithm } from './keys.ts';

/**
 * How often PBKDF2 by HMAC-SHA-256 iterates: what OWASP asks for. Its rival scrypt would be refused by openssl at any
 * cost worth having: it gives scrypt 32 MiB of memory at most.
 */
const ITERATIONS = 600_000;

/** A new key pair in PEM. */
export interface GeneratedKey {
  /** PKCS#8, encrypted where there was a passphrase. */
  readonly privatePem: string;
  /** SubjectPublicKeyInfo. */
  readonly publicPem: string;
  readonly keyId: string;
}

/** Makes a key pair, whose private half is encrypted by `passphrase` unless that is absent or empty. */
export function generateKey(algorithm: SignatureAlgorithm, passphrase: string = ''): GeneratedKey {
  const { privateKey, publicKey } =
    algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    privatePem: passphrase === '' ? encodePem('PRIVATE KEY', pkcs8) : encrypted(pkcs8, passphrase),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: publicKeyOf(publicKey, 'the new key').keyId,
  };
}

/** Node.js itself would let PBKDF2 iterate 2048 times, whatever it is asked. */
function encrypted(pkcs8: Uint8Array, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(passphrase, salt, ITERATIONS, 32, 'sha256'), iv);
  const ciphertext = Buffer.concat([cipher.update(pkcs8), cipher.final()]);
  return encodePem('ENCRYPTED PRIVATE KEY', encodeEncryptedKey({ salt, iterations: ITERATIONS, iv, ciphertext }));
}
