import { createHash, sign } from 'node:crypto';
import { encodeBundle } from '../../formats/sigstore/bundle.ts';
import type { Flow } from '../flow.ts';
import { type CommandSigner, signByCommand } from './command.ts';
import type { PublicKey } from './keys.ts';
import type { PrivateKey } from './private.ts';

/** Who signs: a key that is here, or a program that has one. */
export type Signer = PrivateKey | CommandSigner;

/**
 * Signs `root`, the bytes of the root index of an archive, or another document. Returns a Sigstore bundle. Throws `tool-failed`
 * where a program is to sign and does not.
 */
export async function signRoot(root: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  return bundleOf(root, signer.public, await signatureBy(root, signer, flow));
}

/** A signature over `message` by any signer, as bundles have it. Throws `tool-failed`. */
export async function signatureBy(message: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  return 'key' in signer ? signatureOf(message, signer) : signByCommand(message, signer, flow);
}

function signatureOf(message: Uint8Array, { public: { algorithm }, key }: PrivateKey): Uint8Array {
  return sign(algorithm === 'ed25519' ? null : 'sha256', message, key);
}

function bundleOf(root: Uint8Array, { keyId }: PublicKey, signature: Uint8Array): Uint8Array {
  return encodeBundle({
    hint: Buffer.from(keyId, 'hex').toString('base64'),
    messageDigest: createHash('sha256').update(root).digest(),
    signature,
  });
}
