import type { Environments } from '../solution/environments.ts';
import type { Release } from '../solution/relations.ts';
import type { Barrier, UpgradeWay } from './upgrade-way.ts';

/** A Solution that another configuration has installed: it stays as it is. */
export interface InstalledRelease {
  readonly release: Release;
  readonly configuration: string;
}

/** All that a set is chosen from. */
export interface World<One extends Release = Release> {
  /** Of each version at most one. */
  readonly candidates: readonly One[];
  /** What is to be there, by the names of Solutions: `latest`, a version, or a range. */
  readonly wants: ReadonlyMap<string, string>;
  /**
   * By the names of Solutions: which versions are wanted in which namespaces. Each of these is as a Solution of its
   * own, called as `instanceName` says; what they share is called by the name of the Solution, and comes in the highest
   * version of them, or in the one of `wants`, if that is higher.
   */
  readonly environments?: ReadonlyMap<string, Environments>;
  /** Solutions that are not to be there. */
  readonly barred?: ReadonlySet<string>;
  readonly installed?: readonly InstalledRelease[];
  /**
   * All that is in the cluster now: what its Solutions ask for and do not have, nobody else has to provide; and what is
   * installed over it has to be made for that. Left out: nothing.
   */
  readonly present?: readonly InstalledRelease[];
  /**
   * Whether versions count as wanted by which one gets from what is there to what is wanted, the nearest to that first.
   * Left out: they do not.
   */
  readonly through?: boolean;
  /** The version of Kubernetes; left out where it does not count. */
  readonly kubernetes?: string | undefined;
}

/** A requirement of a member of a set, and what meets it. */
export interface Need {
  readonly kind: 'requires' | 'any-of' | 'recommends';
  /** The Solution or capability that is asked for. */
  readonly name: string;
  readonly range: string;
  /** The name of the Solution that meets it: a member, or one that another configuration has installed. */
  readonly by: string;
}

/** A Solution of a set. */
export interface SetMember<One extends Release = Release> {
  readonly release: One;
  /** Whether the configuration wants it, another member requires it, or one recommends it. */
  readonly why: 'wanted' | 'required' | 'recommended';
  readonly needs: readonly Need[];
}

/** A recommendation that the set does not meet. */
export interface UnmetRecommendation {
  readonly of: string;
  readonly name: string;
  readonly range: string;
}

/** A Solution that the configuration wants, and that another one replaces. */
export interface ReplacedWant {
  readonly name: string;
  /** The name of the Solution that replaces it: a member, or one that another configuration has installed. */
  readonly by: string;
}

/** A version that would be in a set, except for what the cluster has now. */
export interface HeldBack {
  readonly name: string;
  readonly version: string;
  /** Why: over which versions of a Solution or capability it may be installed, and which one is there. */
  readonly barrier: Barrier;
  /** How to get there; undefined where no way is known. */
  readonly way: UpgradeWay | undefined;
  /** Both in words. */
  readonly reason: string;
}

/** What a world is resolved to: Solutions that belong together. */
export interface ResolvedSet<One extends Release = Release> {
  /**
   * In the order in which they are installed: each after what it needs, where that does not need it in turn; otherwise
   * by name.
   */
  readonly members: readonly SetMember<One>[];
  /** What other configurations have installed. */
  readonly installed: readonly InstalledRelease[];
  readonly unmet: readonly UnmetRecommendation[];
  /** In order of names. */
  readonly replaced: readonly ReplacedWant[];
  /** In order of names: of each Solution the highest version that may not be installed over what is there. */
  readonly heldBack: readonly HeldBack[];
}

/** Why there is no set. */
export interface NoSet {
  /** Sentences that lead to it, each by what was said before. */
  readonly explanation: readonly string[];
  /** What would help, one of them at a time; nothing where nothing simple does. */
  readonly help: readonly string[];
  /**
   * Whether it lies in what Solutions ask of each other, and not in what is wanted alone, and for which Kubernetes that
   * is.
   */
  readonly isAboutOthers: boolean;
}

/** What came of a world. A step is one look at one rule, so that the same world always takes as many. */
export type Resolution<One extends Release = Release> =
  | { readonly set: ResolvedSet<One>; readonly steps: number }
  | { readonly none: NoSet; readonly steps: number };
