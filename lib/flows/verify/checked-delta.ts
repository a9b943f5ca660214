import type { DeltaSummary } from '../../parts/archives/index.ts';

/** What a delta lacks, and what of that no archive has. */
export interface CheckedDelta extends DeltaSummary {
  /** Contents that nothing has that was given, and their bytes. */
  readonly lacking: number;
  readonly lackingBytes: number;
}
