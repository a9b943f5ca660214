import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { wrongEd25519 } from '../../../formats/keys/ed25519.ts';
import { pemLabel } from '../../../formats/keys/pem.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';

/** Algorithms of archive signatures. */
export type SignatureAlgorithm = 'ecdsa-p256-sha256' | 'ed25519';

/** A key that verifies signatures. */
export interface PublicKey {
  readonly algorithm: SignatureAlgorithm;
  /** SHA-256 of the SubjectPublicKeyInfo in DER, in hexadecimal: of P-256 named, and its point uncompressed. */
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Reads a public key in PEM; throws `file-missing` or `key-invalid`. */
export async function loadPublicKey(path: string): Promise<PublicKey> {
  const pem = await readPem(path);
  const label = pemLabel(pem);
  if (label?.endsWith('PRIVATE KEY')) {
    throw invalidKey(path, 'holds a private key, where a public one is needed', 'name the .pub file');
  }
  if (!label?.endsWith('PUBLIC KEY')) {
    throw invalidKey(path, `is ${label ?? 'nothing'} in PEM, where a PUBLIC KEY is needed`, 'name the .pub file');
  }
  try {
    return publicKeyOf(createPublicKey(pem), path);
  } catch (cause) {
    if (cause instanceof SolpackError) throw cause;
    throw invalidKey(path, 'is damaged: it is not a public key', 'copy it again from its owner', cause);
  }
}

/** Returns whether `signature` is one of `message` by a key, which alone decides on the algorithm. */
export function isSignature(signature: Uint8Array, message: Uint8Array, { algorithm, key }: PublicKey): boolean {
  return verify(algorithm === 'ed25519' ? null : 'sha256', message, key, signature);
}

/** The text of a file that holds a key. */
export async function readPem(path: string): Promise<string> {
  return Buffer.from(await readFile(path, 64 * 1024)).toString('utf8');
}

/**
 * A public key with its id, which is the same whatever form the key came in. Throws `key-invalid` about `subject` where
 * it is of a kind that archives are not signed with, or stands for more than one secret.
 */
export function publicKeyOf(key: KeyObject, subject: string): PublicKey {
  const algorithm = algorithmOf(key, subject);
  const canonical = canonicalOf(key, subject);
  const der = canonical.export({ type: 'spki', format: 'der' });
  return { algorithm, keyId: createHash('sha256').update(der).digest('hex'), key: canonical };
}

/**
 * The same point as OpenSSL writes it by itself. SubjectPublicKeyInfo has more forms: a point of P-256 may be
 * compressed, or both at once (hybrid), and its curve spelt out (RFC 5480 §2.2, SEC 1 §2.3.3, §C.2). A JWK has one (RFC
 * 7518 §6.2.1).
 */
function canonicalOf(key: KeyObject, subject: string): KeyObject {
  const jwk = key.export({ format: 'jwk' });
  const wrong = jwk.crv === 'Ed25519' ? wrongEd25519(Buffer.from(jwk.x ?? '', 'base64url')) : undefined;
  if (wrong) throw invalidKey(subject, `is ${wrong}, so it proves nothing`, 'make a pair with "solpack keygen"');
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/** A key that cannot be used. */
export function invalidKey(path: string, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('key-invalid', path, message, { hint, ...(cause === undefined ? {} : { cause }) });
}

function algorithmOf(key: KeyObject, subject: string): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ecdsa-p256-sha256';
  throw invalidKey(
    subject,
    `is ${kindOf(key)}, which cannot sign archives`,
    'use ECDSA on P-256, or Ed25519: "solpack keygen" makes both',
  );
}

/** NIST's names of curves that OpenSSL calls otherwise. */
const curves: Readonly<Record<string, string>> = { secp224r1: 'P-224', secp384r1: 'P-384', secp521r1: 'P-521' };

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (details?.namedCurve) return `an ECDSA key on ${curves[details.namedCurve] ?? details.namedCurve}`;
  if (details?.modulusLength) return `a key of type ${type?.toUpperCase()} with ${details.modulusLength} bits`;
  return `a key of type ${type}`;
}
