import { createHash, type KeyObject, sign } from 'node:crypto';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { encodeBundle } from '../../../formats/sigstore/bundle.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type CommandSigner, signByCommand } from './command.ts';
import { isSignature, type PublicKey } from './keys.ts';
import type { PrivateKey } from './private.ts';

/** Who signs: a key in this process, or a program that has one. */
export type Signer = PrivateKey | CommandSigner;

/**
 * Signs `root`, the bytes of the root index of an archive, or another document. Returns a Sigstore bundle. A key that
 * is here gives the same one each time. Throws `tool-failed` where a program is to sign and does not, `key-invalid`
 * where a key does not fit its public half.
 */
export async function signRoot(root: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  return bundleOf(root, signer.public, await signatureBy(root, signer, flow));
}

/** A signature over `message` by any signer, as bundles have it. Throws what `signRoot` throws. */
export async function signatureBy(message: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  return 'key' in signer ? signatureOf(message, signer) : signByCommand(message, signer, flow);
}

/**
 * Throws `key-invalid` rather than give away a signature that does not verify: with two of one nonce, one finds the
 * key.
 */
async function signatureOf(message: Uint8Array, { public: half, key }: PrivateKey): Promise<Uint8Array> {
  const signature = half.algorithm === 'ed25519' ? sign(null, message, key) : await signByEcdsa(message, key);
  if (isSignature(signature, message, half)) return signature;
  throw new SolpackError('key-invalid', shortKey(half.keyId), 'makes signatures that its public half does not verify', {
    hint: 'the file has halves of two different keys; "solpack keygen" makes a pair',
  });
}

/** Node.js draws the nonce of ECDSA at random, so that no two signatures are the same. */
async function signByEcdsa(message: Uint8Array, key: KeyObject): Promise<Uint8Array> {
  // Loading it takes longer than signing with it, and most runs sign nothing.
  const { signP256 } = await import('../../../formats/keys/p256.ts');
  const secret = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url');
  try {
    return signP256(createHash('sha256').update(message).digest(), secret);
  } finally {
    secret.fill(0);
  }
}

function bundleOf(root: Uint8Array, { keyId }: PublicKey, signature: Uint8Array): Uint8Array {
  return encodeBundle({
    hint: Buffer.from(keyId, 'hex').toString('base64'),
    messageDigest: createHash('sha256').update(root).digest(),
    signature,
  });
}
