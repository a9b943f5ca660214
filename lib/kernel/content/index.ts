/** Sources and targets of content, and what copies content between them within bounds of memory. */

export {
  /** Limits what a stranger's input may cost. */
  Budget,
} from './budget.ts';
export {
  /** Makes a source of content that is in memory: whatever is opened, it gives `bytes`. */
  bytesSource,
} from './bytes-source.ts';
export type {
  /** Everything that a manifest reaches. */
  Closure,
  /** A manifest or an index with its exact bytes. */
  Fetched,
  /** Decides which children of an index are followed, given all of them. */
  Keep,
} from './closure.ts';
export {
  /** What a copy did, in things and bytes. */
  type Copied,
  /** Moves content into `target`: the one algorithm for pack, push, load and mirror. */
  copy,
} from './copy.ts';
export {
  /** Makes one source of several: each thing is read from the first of `candidates` that has it. */
  firstOf,
  /** Judges a failure of a candidate that is not the last one. */
  type PassOver,
} from './first-of.ts';
export {
  /** Lends memory for the chunks of `size` bytes. */
  lendMemory,
} from './lent-memory.ts';
export {
  /** Reads the manifests that `root` reaches, and lists the blobs that they name, but reads no blob. */
  closureOf,
  /** Reads a manifest once from `source`, checks it against its descriptor, and counts it in `budget`. */
  fetchManifest,
  /** Reads the manifests of one source, each once, however often it is named, and all within one budget. */
  Manifests,
} from './manifests.ts';
export {
  /** What is known of the cluster that objects are rendered for. */
  type ClusterFacts,
  /** A place from which content can be read by descriptor: a layout, an archive, a repository of a registry. */
  type ContentSource,
  /** A place to which content can be written by descriptor. */
  type ContentTarget,
  /** A problem that was found: data, not an exception, and all of them are reported. */
  type Finding,
  /** A code of a finding. */
  type FindingCode,
  /** What `verify` can find; each has a title in `docs/errors.md`. */
  findings,
  /** Content, and the file that has it. */
  type LocatedContent,
  /** An object that is looked up, or all objects of a kind. */
  type LookedUp,
  /** Returns why something may not be looked up; undefined where it may. */
  type LookupLimit,
  /** A server of this process at which a program looks objects of a cluster up, and can do nothing else. */
  type LookupServer,
  /** Starts a server that looks objects of a cluster up, which is said to be as `facts` tells. */
  type Lookups,
  /** A source that also has names: tags, or the entries of a layout's index. */
  type NamedSource,
  /** A target that can name a manifest it holds. */
  type NamedTarget,
  /** How content is opened. */
  type OpenOptions,
  /** Reads the content that a target stores, checked: a stream that ends without an error had the right bytes. */
  type ReadContent,
  /** How a target reads the content that it stores. */
  type ReadOptions,
  /** How to take content from files. */
  type TakeOptions,
} from './model.ts';
export {
  /** Opens content of a source, checked against its descriptor, in chunks that lie in the memory of `into`. */
  openChecked,
  /** Makes the error for a failure to read from a source. */
  sourceError,
  /** One thing to be moved, with where it comes from. */
  type Transfer,
} from './move.ts';
export {
  /** A file or a folder that is held while it is opened, so that nobody can put another one in its place. */
  type HeldPlace,
  /** Holds what has to be held. */
  holdPlace,
  /** Decides whether a place has to be held. */
  isHeld,
  /** Decides whether a place is in a registry. */
  isInRegistry,
  /** Decides whether a place is on this machine. */
  isLocal,
  /** Lists the paths of the places that are on this machine. */
  localPaths,
  /** Opens a file, wherever it is, for reading at any offset. */
  openPlace,
  /** Where a file is: an absolute path, one that has to be held, or an address. */
  type Place,
  /** Where a Solution is in a registry. */
  type RegistryPlace,
  /** A file on a server. */
  type RemotePlace,
} from './place.ts';
export type {
  /** What a cluster has of a Solution before another version of it is brought up. */
  PreviousVersion,
  /** Reads that; undefined where no other version is there. */
  ReadPreviousVersion,
} from './previous-version.ts';
