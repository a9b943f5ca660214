/** Archives that are deltas: chooses their contents, and opens them with their bases. */

export {
  /** Finds recipes for the layers that no base has. */
  belowLayers,
  /** A layer that travels whole although no base has it, and why. */
  type WholeLayer,
} from './below/index.ts';
export {
  /** Opens an archive; what it lacks, where it is a delta, is read out of those at `bases`. */
  openCompleted,
} from './open-completed.ts';
export {
  /** Leaves out of an archive what one of `bases` has, in whatever order they are given. */
  withoutBases,
} from './select.ts';
