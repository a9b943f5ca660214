import type { ReleasedMirrors } from '../../parts/mirrors/index.ts';
import type { BroughtSolution } from '../../shared/solutions/clusters/index.ts';

/** An object that stays, or that is removed although nobody brought it, and why. */
export interface KeptObject {
  /** `Kind name` or `Kind namespace/name`. */
  readonly object: string;
  readonly reason: string;
}

/** What was removed. */
export interface UninstallResult {
  readonly configuration: string;
  /** The number of the generation that is there now. */
  readonly generation: number;
  /** Nothing where all was gone before. */
  readonly removed: readonly BroughtSolution[];
  readonly kept: readonly KeptObject[];
  /**
   * Claims that went along, because what was removed owned them; left out where that is nothing, or nobody had to
   * agree.
   */
  readonly taken?: readonly KeptObject[];
  /** The Solutions of the configuration that stay. */
  readonly staying: readonly { readonly name: string; readonly version: string }[];
  /** What became of the mirrors; left out where no folder of them was named. */
  readonly mirrors?: ReleasedMirrors;
}
