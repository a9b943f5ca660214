/** Solutions in registries: pushes them, reads them, and chooses the version that a tag points to. */

export type {
  /** What pushing bundles copied, and how many bundles there are. */
  Attached,
} from './attached.ts';
export {
  /** Finds the root of a Solution, and keeps its repository open until `work` is done. */
  atRoot,
  /** Reads the catalog of a root, and no layer. */
  catalogAt,
  /** The root of a Solution in a repository. */
  type FoundRoot,
  /** The hint of errors about a reference that names no Solution. */
  noSolutionHint,
  /** Resolves a reference to the root of a Solution. */
  resolveRoot,
  /** Reads the signatures of a Solution in a repository. */
  signaturesOf,
  /** Makes the signature slots of an archive that holds these bundles. */
  slotsOf,
} from './in-registry.ts';
export {
  /** Runs `work`, which pushes to `repositories`. */
  namingMissingRepositories,
} from './missing-repositories.ts';
export {
  /** Adds up the bytes of all `groups`. */
  groupsSize,
  /** Groups what an image consists of, and what refers to it, in parts that have to follow each other. */
  imageGroups,
  /** Groups the root and all that it reaches in the order in which a registry takes them. */
  pushGroups,
  /** Finds an image's or a referrer's own manifest in its closure. */
  topManifest,
} from './push-order.ts';
export {
  /** Returns whether `tag` names something else than `descriptor`, or nothing. */
  differs,
  /** Pushes the signatures of an archive as referrers of its root. */
  pushBundles,
  /** Pushes statements and the signature `bundle` of `root`, which names its `slot` in archives. */
  pushSignature,
  /** Pushes signed statements, and no signature. */
  pushStatements,
  /** Makes sure that the subjects of referrers list them, and that referrers have their tags. */
  registerReferrers,
} from './push-referrers.ts';
export {
  /** Ties a registry to its flow. */
  registryEvents,
} from './registry-events.ts';
export {
  /** Lists what a registry serves of an archive. */
  servedContent,
} from './served-content.ts';
export {
  /** A signature that a registry has of a root. */
  type FoundSignature,
  /** Reads the signatures of `root` that fit into slots of `size` bytes. */
  findSignatures,
} from './signatures-in-registry.ts';
export {
  /** Sorts versions of Solutions by who says what a tag stands for, where several have it for different images. */
  byTagPrecedence,
  /** A tag that two versions have for different images. */
  type SharedTag,
  /** Returns which tags several versions have for different images, and what these stand for. */
  sharedTags,
  /** A version of a Solution, and what it has under tags: `HOST[:PORT]/REPOSITORY:TAG` and a digest. */
  type TaggedVersion,
  /** Reports archives which tags they have for different images, each message once. */
  tellSharedTags,
} from './tag-precedence.ts';
