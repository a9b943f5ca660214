import type { Digest } from '../../formats/digest.ts';
import type { Signer } from '../trust/index.ts';

/** What to sign, with what, and where the signature goes. Paths are absolute. */
export interface SignRequest {
  readonly archive: string;
  readonly signer: Signer;
  /** A file for the bundle; undefined is a slot of the archive. */
  readonly output: string | undefined;
  /** Whether to check every byte of the archive before. Otherwise its root, manifests and metadata are checked alone. */
  readonly verify: boolean;
}

/** What was signed. */
export interface SignResult {
  readonly root: Digest;
  readonly keyId: string;
  /** The archive's slot that has the signature, unless the bundle went to a file; in a registry, the one that it would have. */
  readonly slot: number | undefined;
  /** The manifest of the signature, where that is in a registry. */
  readonly referrer?: Digest | undefined;
  /** Whether there was a valid signature of this key before; then nothing was written. */
  readonly already: boolean;
  /** Names of the attestations that were signed as well: those that nobody had signed. */
  readonly attested: readonly string[];
}
