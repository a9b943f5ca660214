/** Whether archives are trusted, and what trusted archives may install. */

export {
  /** Finds annotations of the root that disagree with what it refers to. */
  compareRoot,
} from './compare-root.ts';
export {
  /** Returns the Services that probes ask, as objects. */
  askedServices,
  /** How a rendered object goes beyond the bounds of its Solution; none where it does not. */
  breachesOfRendered,
} from './object-bounds.ts';
export {
  /** Returns whether a generation may not come back, and an older solpack recorded too little of it. */
  isShortOfRecords,
  /** Makes what decides whether a generation may come back. */
  permitBy,
  /** Whom a command trusts that restores what was installed before. */
  type ReturnTrust,
  /** Tells that nobody was asked whether what is restored is still trusted. */
  tellUnasked,
} from './permit.ts';
export {
  /** Throws `verification-failed` where the root of an archive disagrees with what it refers to. */
  requireConsistent,
} from './require-consistent.ts';
export {
  /** Checks that an archive's signers are trusted now, as `verdictOf` judges them. */
  requireTrusted,
  /** Judges an archive's signers, as `verify` and `install` do. */
  verdictOf,
} from './require-trusted.ts';
export {
  /** What is found of something that too few have signed. */
  unsignedCodes,
  /** Makes the error `not-trusted` of an archive, or of several, from all that was found against it. */
  untrusted,
} from './untrusted.ts';
