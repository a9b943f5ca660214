import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SolpackError } from '../errors.ts';
import { readFile } from '../host.ts';

/** Algorithms that archives are signed with. */
export type SignatureAlgorithm = 'ecdsa-p256-sha256' | 'ed25519';

/** A key that signatures are checked against. */
export interface PublicKey {
  readonly algorithm: SignatureAlgorithm;
  /** SHA-256 of the SubjectPublicKeyInfo in DER, in hexadecimal. */
  readonly keyId: string;
  readonly key: KeyObject;
}

/** A key that signs, with its public half. */
export interface PrivateKey {
  readonly key: KeyObject;
  readonly public: PublicKey;
}

/** A new key pair: PKCS#8 and SubjectPublicKeyInfo, both PEM. */
export function generateKey(algorithm: SignatureAlgorithm): { privatePem: string; publicPem: string; keyId: string } {
  const { privateKey, publicKey } =
    algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: publicKeyOf(publicKey, 'the new key').keyId,
  };
}

/** Reads a public key in PEM; throws `file-missing` or `key-invalid`. */
export async function loadPublicKey(path: string): Promise<PublicKey> {
  const pem = await readPem(path);
  if (pem.includes('PRIVATE KEY')) {
    throw new SolpackError('key-invalid', path, 'holds a private key, where a public one is needed', {
      hint: 'name the .pub file',
    });
  }
  return publicKeyOf(
    parsed(path, () => createPublicKey(pem)),
    path,
  );
}

/** Reads a private key in PEM, decrypted with `passphrase` if it is encrypted; throws `file-missing` or `key-invalid`. */
export async function loadPrivateKey(path: string, passphrase?: string): Promise<PrivateKey> {
  const pem = await readPem(path);
  if (pem.includes('ENCRYPTED PRIVATE KEY') && passphrase === undefined) {
    throw new SolpackError('key-invalid', path, 'is encrypted', { hint: 'set SOLPACK_PASSPHRASE' });
  }
  const key = parsed(path, () => createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) }));
  return { key, public: publicKeyOf(createPublicKey(key), path) };
}

async function readPem(path: string): Promise<string> {
  return Buffer.from(await readFile(path, 64 * 1024)).toString('utf8');
}

function parsed(path: string, work: () => KeyObject): KeyObject {
  try {
    return work();
  } catch (cause) {
    throw new SolpackError('key-invalid', path, 'is not a key in PEM, or its passphrase is wrong', {
      cause,
      hint: 'make a pair with "solpack keygen", or convert yours with "openssl pkcs8 -topk8"',
    });
  }
}

function publicKeyOf(key: KeyObject, subject: string): PublicKey {
  const der = key.export({ type: 'spki', format: 'der' });
  return { algorithm: algorithmOf(key, subject), keyId: createHash('sha256').update(der).digest('hex'), key };
}

function algorithmOf(key: KeyObject, subject: string): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') {
    return 'ecdsa-p256-sha256';
  }
  throw new SolpackError('key-invalid', subject, `is a key of type ${key.asymmetricKeyType}`, {
    hint: 'use ECDSA on P-256, or Ed25519',
  });
}
