/** What flows do with clusters: wait, choose a configuration, apply, and find missing images. */

export {
  /** What the step is run with. */
  type ApplyMeans,
  /** What the step is planned from. */
  type ApplyRead,
  /** Given once everything that was rendered is in the cluster, and ready, and what is no longer wanted is gone. */
  applied,
  /** Makes the step that hands what was rendered on to the cluster. */
  applyStep,
} from './apply-step.ts';
export {
  /** Waits until the API server of a cluster answers and is ready, for up to `time` milliseconds. */
  awaitCluster,
} from './await-cluster.ts';
export {
  /** The result of an install for a Solution in a cluster. */
  type BroughtSolution,
  /** Reports a Solution what became of it in a cluster, and nothing else. */
  broughtOf,
  /** Returns the configuration that a user means. */
  configurationNamed,
  /** Returns what a generation applied. */
  contentOf,
  /** Returns what a generation applied, to be applied once more. */
  contentToApply,
  /** Returns the generation of that number, or the newest one where it is undefined. */
  generationNumbered,
  /** Returns the generation to go back to. */
  generationToReturnTo,
  /** Makes the request that brings a generation back, as a new one. */
  returnRequest,
  /** Returns the error about a cluster with several configurations, of which the user named none. */
  severalConfigurations,
  /** Names the Solutions of a generation with their versions: `shop 1.0.0, web 2.1.0`. */
  solutionsOf,
} from './generations.ts';
export {
  /** Asks the registries that had the images of a generation whether they have them still, by their digests. */
  findMissingImages,
  /** An image of a generation that can no longer be pulled. */
  type MissingImage,
} from './missing-images.ts';
export {
  /** Finds what a user names. */
  findNamed,
  /** A configuration that a name stands for, and which of its Solutions. */
  type Named,
  /** Returns the error about a name that nothing has. */
  nothingNamed,
} from './named-configuration.ts';
export {
  /** Removals that somebody has allowed by name. */
  type NamedRemovals,
  /** Lists the Solutions that something is taken from, each once. */
  removalNames,
  /** Throws `removal-unnamed`, about the command `subject`, for what nobody has named. */
  requireNamedRemovals,
  /** Lists what nobody has named. */
  unnamedRemovals,
} from './named-removals.ts';
export {
  /** Names the images of catalogs. */
  imageNamesOf,
  /** Lists the images that a node continues to need. */
  neededImages,
  /** Lists the images of archives as a node takes them. */
  nodeImagesOf,
  /** Removes from the places of this machine what generations had put there, and what is not in `staying`. */
  releaseNodeImages,
  /** Renames an image as a registry has it. */
  renamedImage,
} from './node-images.ts';
export {
  /** Digests what is known of a cluster, for the inputs of steps; null where nothing is. */
  factsDigest,
  /** A cluster as plans are made from it: what was read of it before anything is changed. */
  type ReadCluster,
  /** Reads what plans are made from of a cluster. */
  readCluster,
} from './read-cluster.ts';
export {
  /** Does `work` again and again, `every` milliseconds after it has ended, until the flow is aborted. */
  repeatedly,
} from './repeat-until-aborted.ts';
