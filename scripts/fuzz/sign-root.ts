import { createHash, sign } from 'node:crypto';
import { encodeBundle } from '../../formats/sigstore/bundle.ts';
import type { PrivateKey } from '../../lib/parts/trust/index.ts';

/** Signs the bytes of a root as `sign` does, while nobody has to wait. Returns a Sigstore bundle. */
export function signRoot(root: Uint8Array, { key, public: { algorithm, keyId } }: PrivateKey): Uint8Array {
  return encodeBundle({
    hint: Buffer.from(keyId, 'hex').toString('base64'),
    messageDigest: createHash('sha256').update(root).digest(),
    signature: sign(algorithm === 'ed25519' ? null : 'sha256', root, key),
  });
}
