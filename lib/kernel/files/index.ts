/** Files and folders: opened, held by descriptor, written as a whole, locked, temporary. */

export {
  /** Writes the schema that the file at `path` asks editors to go by, if it asks for one beside it. */
  keepSchema,
} from './editor-schemas.ts';
export type {
  /** Bytes that lie in a file of this machine. */
  FileRange,
} from './file-range.ts';
export {
  /** Changes whenever a file does, or another takes its place, or another medium is put in. */
  stampOf,
} from './file-stamp.ts';
export {
  /** Holds the folder `path` below another one, name by name. */
  enterBelow,
  /** The folders below a held folder. */
  type FolderTree,
  /** Returns the tree below `root`, which is released with it. */
  folderTree,
  /** Makes a folder. */
  makeFolder,
  /** Makes the error about something that is not a folder, where one is needed. */
  noFolder,
} from './folder-tree.ts';
export {
  /** A file or a folder that is held by its descriptor. */
  type HeldEntry,
  /** Holds what is at an absolute path. */
  holdEntry,
} from './held-entry.ts';
export {
  /** A folder that is held by its descriptor. */
  type HeldFolder,
  /** Holds the folder at an absolute path, where that leads now. */
  holdFolder,
  /** Decides whether a user is this one, or is trusted anyway. */
  isTrustedUser,
  /** Decides whether somebody other than root and its group may change what the names in a folder stand for. */
  mayOthersChange,
  /** Returns the user that this process acts as; undefined where the system has no numbers for users. */
  ownUser,
  /** Throws `output-unwritable` where this is root. */
  requireOwnNames,
  /** Throws `output-unwritable` where this is root, and others may make the path, or an existing part of it. */
  requireOwnPlace,
} from './held-folder.ts';
export {
  /** Runs `work`, which has to be short, while nobody else does under the same lock. */
  alone,
  /** The sole use of something. */
  type TakenLock,
  /** Takes the lock `name` of a folder, and holds it until the release or the end of the process. */
  takeLock,
} from './lock.ts';
export type {
  /** A file to which lines are added. */
  LogFile,
} from './log-file.ts';
export {
  /** Makes sure that a file to write is none that is read, by whatever name. */
  requireNoInput,
} from './not-an-input.ts';
export {
  /** A file that is open for random access. */
  type OpenFile,
  /** Opens `path` for reading at any offset. */
  openFile,
  /** Reads a small file whole; throws `file-unreadable` where it has more than `limit` bytes. */
  readFile,
  /** Reads a small file whole; undefined if there is none. */
  readIfThere,
  /** Reads an open file whole, and closes it. */
  readToEnd,
  /** Returns what `work` on a file gives; undefined if there is no such file. */
  unlessMissing,
} from './open-file.ts';
export {
  /** Makes a folder, with those above it, where it is absent. */
  makeOutputFolder,
} from './output-folder.ts';
export {
  /** The path that a path leads to by symbolic links, whether a file is there or not. */
  ownPath,
} from './own-path.ts';
export {
  /** Decides whether `path` is `root` or lies below it. */
  contains,
  /** Resolves `path` relative to `root`. */
  inside,
  /** Returns `path` with `/` between its names, as in archives. */
  portable,
} from './paths.ts';
export {
  /** Begins the file `path` as `path.partial` beside it, which nobody else may read or write. */
  createFile,
  /** Creates a file that only this user may read and write. */
  createOwn,
  /** Opens a file that only this user can have written. */
  openOwn,
  /** A file that is being written. */
  type PendingFile,
  /** Returns the path that the file `path` has while it is written. */
  partialPath,
  /** Removes a file of this user. */
  removeOwn,
  /** Reopens the `path.partial` of an earlier run. */
  reopenFile,
  /** Makes sure that a file can be written, before what goes into it is fetched or made. */
  requireCreatable,
  /** Replaces `path` by some bytes, wholly or not at all, and durably. */
  writeFile,
  /** Does the same below a held folder. */
  writeIn,
  /** Writes a new file durably. */
  writeNew,
} from './pending-file.ts';
export {
  /** Reads `source` in aligned blocks, adjacent ones with one read, and keeps the most recently used. */
  cached,
} from './read-cache.ts';
export {
  /** Writes a stream into a new file in a temporary folder, and opens it for random access. */
  spoolFile,
} from './spool-file.ts';
export {
  /** A folder that is removed when it is released. */
  type TemporaryFolder,
  /** Makes an empty folder for this run alone, and removes those of killed runs of this user. */
  temporaryFolder,
} from './temporary.ts';
