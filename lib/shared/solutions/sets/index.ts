/** Sets of Solutions: chooses their versions, and says why. */

export {
  /** Finds the archive of a Solution that an install would choose for a wanted version. */
  activeArchive,
  /** Finds all archives of a Solution that an install would choose: of the whole first, then of its environments. */
  activeArchives,
  /** The archives of a Solution; one that is listed in the group of another Solution cannot be active. */
  availableOf,
  /** Chooses the version `wanted` of a Solution, as an install would if the configuration wanted that. */
  chooseOne,
  /** Lists what a configuration wants of a Solution, as a whole and in its environments. */
  wantedVersions,
} from './active.ts';
export {
  /** Which version was chosen, and why. */
  type Choice,
  /** Returns why archives were chosen, and what was passed over for them. */
  choicesOf,
} from './choices.ts';
export {
  /** An archive that could be active, by the name and version of its metadata, never by those of its file. */
  type Candidate,
  /** Chooses the archives that are to be active: for each Solution at most one, in order of names. */
  choose,
  /** What a configuration wants of a Solution, its environments aside. */
  wantedOf,
} from './choose.ts';
export {
  /** Closes archives. */
  closeAll,
  /** Reads the SolutionsConfiguration that the bytes of the file `path` are. */
  configurationOf,
  /** Finds the archives that the SolutionsConfiguration in the file `path` names, entry by entry. */
  configuredArchives,
  /** Opens the archives that the SolutionsConfiguration in the file `path` names. */
  openAll,
  /** Reads the SolutionsConfiguration in the file `path`. */
  readConfiguration,
} from './configuration.ts';
export {
  /** Whether an install may end otherwise once it is known what is installed. */
  isForsaken,
  /** Makes sure that nothing is removed, and nothing goes down, because an archive cannot be found. */
  requireFound,
} from './gone-archives.ts';
export {
  /** Makes sure that every Solution of a cluster still has what it asks for once a configuration has what … */
  requireKept,
} from './keep-sets.ts';
export type {
  /** The archives of a SolutionsConfiguration, as far as they can be opened. */
  ConfiguredArchives,
  /** The same, with the entries that name them. */
  FoundArchives,
  /** An open archive, with the name and version of its metadata. */
  OpenedArchive,
} from './opened.ts';
export {
  /** Says of a choice what installs of others meet. */
  outsideNotices,
  /** Reads what others have installed in a cluster, if it can count. */
  readSetOutside,
  /** Adds to choices what installs of others meet of the requirements of the members of their set. */
  withOutside,
} from './outside.ts';
export {
  /** Chooses which version runs in each environment of a configuration, as `chooseOpened` does for a Solution. */
  chooseEnvironments,
  /** What of an archive is brought where. */
  type Placement,
  /** Names what is placed, as the cluster knows it: the Solution, or one of its environments. */
  placedName,
  /** Reports a set which archives are used, and what of them is brought where. */
  placeSet,
  /** Makes sure that there is an archive of each version that a configuration wants, and one alone. */
  requireChoice,
} from './placements.ts';
export {
  /** Puts together what the resolver decided and why, as a generation has it. */
  resolutionOf,
} from './resolution.ts';
export {
  /** The same, for whoever continues with the set. */
  requireSet,
  /** The first set on the way to what a configuration wants, where Solutions say over. */
  requireStep,
  /** Finds the set that a configuration stands for. */
  resolveConfigured,
  /** A set on the way to what a configuration wants. */
  type StepOnTheWay,
} from './resolve.ts';
export {
  /** Writes a version of Kubernetes that somebody asked for in full. */
  fullVersion,
  /** Takes out of the metadata of an archive what a set depends on. */
  releaseIn,
  /** What a cluster has, as far as a set depends on it. */
  type SetSurroundings,
  /** Makes the world that the archives of a configuration and a cluster are. */
  worldOf,
} from './set-candidates.ts';
