/** Why a version cannot be installed over what a cluster has. */
export interface Barrier {
  /** The Solution, or the capability, whose versions it is about. */
  readonly of: string;
  /** Over which versions of that it may be installed, in words. */
  readonly over: string;
  /** The version that the cluster has. */
  readonly present: string;
}

/** How a Solution gets from one version to another. */
export interface UpgradeWay {
  /** The versions, from the one that the cluster has. */
  readonly versions: readonly string[];
  /** The range of a version that is needed for that, and that there is no archive of; undefined where there are all. */
  readonly missing: string | undefined;
}
