/** Expressions that decide whether objects are ready. */

export {
  /** A probe that does not hold yet, with what was found last. */
  type AskedProbe,
  /** Looks what probes say now, and tells each change. */
  askProbes,
} from './ask.ts';
export {
  /** Returns what judges objects by probes. */
  probeJudge,
} from './judge.ts';
export {
  /** Decides whether a probe asks about an object that a component brings. */
  isProbed,
  /** Looks whether all objects that a probe asks about are as it says, and whether there is one at all. */
  lookByProbe,
  /** What there is of what a probe asks about. */
  type Probed,
} from './look.ts';
