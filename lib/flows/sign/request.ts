import type { Digest } from '../../../formats/digest.ts';
import type { Signer } from '../../parts/trust/index.ts';

/** What to sign, with what, and where the signature goes. Paths are absolute. */
export interface SignRequest {
  readonly archive: string;
  readonly signer: Signer;
  /**
   * A file for the bundle; without it the bundle goes into a slot of the archive, or beside a medium that solpack did
   * not pack.
   */
  readonly output?: string | undefined;
  /**
   * Whether to check every byte of the archive before signing; otherwise only its root, manifests and metadata are
   * checked.
   */
  readonly verify: boolean;
}

/** What was signed. */
export interface SignResult {
  readonly root: Digest;
  readonly keyId: string;
  /**
   * The slot with the signature, in a registry the slot that archives will have it in; undefined where it went to a
   * file.
   */
  readonly slot: number | undefined;
  /** The manifest of the signature, where that is in a registry. */
  readonly referrer?: Digest | undefined;
  /** Whether there was a valid signature by this key before; then none was written. */
  readonly already: boolean;
  /** Names of the attestations that were signed as well, because nobody had signed them. */
  readonly attested: readonly string[];
  /**
   * The file that the bundle went to: the one that was asked for, or the one beside a medium that has no room for it.
   */
  readonly output?: string;
}
