import type { Digest } from '../../../formats/digest.ts';
import type { HeldBack, Need, ReplacedWant, UnmetRecommendation } from '../../../formats/resolve/world.ts';
import type { componentKinds } from '../../../formats/solution/component-kinds.ts';
import type { OutsideNeed } from '../../../formats/solution/outside-need.ts';

/** What a generation records of an image: its digest, and where it can be pulled from. */
export interface GenerationImage {
  /** As its author named it. */
  readonly reference: string;
  readonly digest: Digest;
  /** Where a registry has it; left out where that had no address that lasts. */
  readonly at?: { readonly scheme: 'http' | 'https'; readonly registry: string; readonly repository: string };
  /** Where it was put on the machine that installed it; left out where it was not. */
  readonly on?: GenerationPlace;
}

/** A place of images on a machine. */
export interface GenerationPlace {
  /** The name of the machine. */
  readonly host: string;
  /** The kind of place, such as `containerd`. */
  readonly way: string;
  readonly place: string;
  readonly form?: string | undefined;
}

/**
 * What decides about trust in an installed Solution, in addition to its root and its signers. Dates are seconds since
 * 1970.
 */
export interface GenerationRelease {
  readonly sequence?: number | undefined;
  readonly created: number;
  readonly expires?: number | undefined;
  /** Types of predicates that the root lists, for the Solution or for each of its images. */
  readonly predicates: readonly string[];
  readonly components: readonly { readonly name: string; readonly kind: (typeof componentKinds)[number] }[];
  /** References of the images that its objects name, and its archive does not hold. */
  readonly otherImages: readonly string[];
}

/** What a generation records of a Solution. */
export interface GenerationSolution {
  readonly name: string;
  readonly version: string;
  /** Digest of its archive's root. */
  readonly root: string | undefined;
  /** Digest of what the site sets for it; undefined where that is nothing. */
  readonly site: string | undefined;
  /** Ids of the keys whose signatures counted for it. */
  readonly signers: readonly string[];
  /** Where its archive was, as the host that installed it names it; undefined where that is not known. */
  readonly archive: string | undefined;
  readonly images: readonly GenerationImage[];
  /** Left out by releases of solpack that did not record it. */
  readonly release?: GenerationRelease;
  /**
   * The custom resources that its plugins gave another form (`Kind name`, `Kind namespace/name`); where the run was
   * killed, those that they were to. Left out: none.
   */
  readonly migrated?: readonly string[];
}

/** Why a generation has the Solutions that it has: what the resolver decided. */
export interface GenerationResolution {
  /** In the order in which they were installed. */
  readonly solutions: readonly DecidedSolution[];
  /** What other configurations had installed, which the set went by. */
  readonly installed: readonly { readonly name: string; readonly version: string; readonly configuration: string }[];
  readonly unmet: readonly UnmetRecommendation[];
  readonly replaced: readonly ReplacedWant[];
  /** Versions that may not be installed over what the cluster had, with the reason. */
  readonly heldBack: readonly Pick<HeldBack, 'name' | 'version' | 'reason'>[];
}

/** Why a Solution is in a set, and in this version. */
export interface DecidedSolution {
  /** A Solution, or one of its environments: `guestbook.team-a`. */
  readonly name: string;
  readonly version: string;
  readonly why: 'wanted' | 'required' | 'recommended';
  readonly reason: string;
  /** The other versions that there were archives of, the highest first. */
  readonly passedOver: readonly string[];
  readonly needs: readonly Need[];
  /** What it requires and others had installed, by other programs. Left out: nothing. */
  readonly outside?: readonly OutsideNeed[] | undefined;
}

/** Why a generation exists. */
export type GenerationCause = 'install' | 'rollback' | 'uninstall';

/** What an apply has recorded of itself, besides what it applies. */
export interface GenerationNote {
  readonly cause: GenerationCause;
  /** For a rollback: the number of the generation that it goes back to. */
  readonly of?: number | undefined;
  /**
   * The number of the newest generation when it was decided what to apply: where there is a newer one by then, nothing
   * is done. Left out where that is applied whatever came meanwhile.
   */
  readonly after?: number | undefined;
  /** Digest of the SolutionsConfiguration that asked for it; undefined where none did. */
  readonly configuration: Digest | undefined;
  /** Of each Solution of the request. */
  readonly solutions: readonly GenerationSolution[];
  /** Why it has these Solutions; left out where nothing was resolved. */
  readonly resolution?: GenerationResolution | undefined;
  /** How many generations are kept, this one among them; at least 1. */
  readonly keep: number;
  /** Blanks secrets in what is recorded of a failure. */
  redact?(text: string): string;
}

/**
 * How an apply has ended. `applying`: no end is known yet. `interrupted`: its run ended early, and could not record
 * why.
 */
export type GenerationState = 'applying' | 'ready' | 'failed' | 'interrupted';

/** One apply of a configuration that a cluster remembers: the inventory of then. */
export interface Generation {
  /** Of the configuration, counted from 1. */
  readonly number: number;
  /** When it began: a date and time of RFC 3339, in UTC. */
  readonly at: string;
  /**
   * When it ended; left out where it has not, or its run could not tell, and by releases of solpack that did not record
   * it.
   */
  readonly ended?: string;
  /** The user of the cluster who began it; 'unknown' where the server does not tell. */
  readonly by: string;
  /** The name of the machine that it was begun on. */
  readonly host: string;
  readonly state: GenerationState;
  /** Why it failed or was interrupted; undefined elsewhere. */
  readonly reason: string | undefined;
  readonly cause: GenerationCause;
  readonly of: number | undefined;
  readonly configuration: string | undefined;
  readonly solutions: readonly GenerationSolution[];
  /** Why it has these Solutions. Left out: an uninstall decided it, or a release of solpack that did not record it. */
  readonly resolution?: GenerationResolution;
}
