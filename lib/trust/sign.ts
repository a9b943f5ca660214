import { createHash, sign } from 'node:crypto';
import { encodeBundle } from '../../formats/sigstore/bundle.ts';
import type { Flow } from '../flow.ts';
import { type CommandSigner, signByCommand } from './command.ts';
import type { PublicKey } from './keys.ts';
import type { PrivateKey } from './private.ts';

/** Who signs: a key that is here, or a program that has one. */
export type Signer = PrivateKey | CommandSigner;

/** A Sigstore bundle with a signature of `key` over `root`, the bytes of an archive's root index. */
export function signRoot(root: Uint8Array, key: PrivateKey): Uint8Array {
  return bundleOf(root, key.public, sign(key.public.algorithm === 'ed25519' ? null : 'sha256', root, key.key));
}

/** The same by any signer. Throws `tool-failed` where a program is to sign and does not. */
export async function signRootBy(root: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  if ('key' in signer) return signRoot(root, signer);
  return bundleOf(root, signer.public, await signByCommand(root, signer, flow));
}

function bundleOf(root: Uint8Array, { keyId }: PublicKey, signature: Uint8Array): Uint8Array {
  return encodeBundle({
    hint: Buffer.from(keyId, 'hex').toString('base64'),
    messageDigest: createHash('sha256').update(root).digest(),
    signature,
  });
}
