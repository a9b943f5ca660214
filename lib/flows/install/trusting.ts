import type { Digest } from '../../../formats/digest.ts';
import type { Trust } from '../../parts/trust/index.ts';

/** Whom an install trusts, and what it remembers of what it trusted. */
export interface Trusting {
  readonly basis: Trust;
  /** The folder that remembers the highest sequence of each Solution. */
  readonly state: string;
  /** Continues if a newer release was installed before, and reports it. Left out: false. */
  readonly allowDowngrade?: boolean | undefined;
  /**
   * Roots that need no signature, whatever else the policy asks: somebody has looked at these very bytes. Left out:
   * none.
   */
  readonly allowUnsigned?: readonly Digest[];
}
