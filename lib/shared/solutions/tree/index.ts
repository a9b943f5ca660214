/** The files of a Solution in an archive, as a tree. */

export {
  /** Makes a tree of files, and of the folders that their paths lead through. */
  entryTree,
} from './entry-tree.ts';
export {
  /** Makes files out of the list of those that an archive has, as if they lay in a folder at `path`. */
  listedFiles,
} from './listed-files.ts';
