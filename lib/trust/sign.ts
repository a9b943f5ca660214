import { createHash, sign } from 'node:crypto';
import { encodeBundle } from '../../formats/sigstore/bundle.ts';
import type { PrivateKey } from './keys.ts';

/** A Sigstore bundle with a signature of `key` over `root`, the bytes of an archive's root index. */
export function signRoot(root: Uint8Array, key: PrivateKey): Uint8Array {
  return encodeBundle({
    hint: Buffer.from(key.public.keyId, 'hex').toString('base64'),
    messageDigest: createHash('sha256').update(root).digest(),
    signature: sign(key.public.algorithm === 'ed25519' ? null : 'sha256', root, key.key),
  });
}
