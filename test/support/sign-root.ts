import { type Signer, signRoot as sign } from '../../lib/parts/trust/index.ts';
import { testFlow } from './flow.ts';

/** Signs the bytes of a root, as `sign` does. Returns a Sigstore bundle. */
export function signRoot(root: Uint8Array, signer: Signer): Promise<Uint8Array> {
  return sign(root, signer, testFlow());
}
