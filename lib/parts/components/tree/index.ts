/** The files of a component, as a tree. */

export {
  /** Makes an RFC 1123 label of a text; undefined where nothing of it can be in one. */
  folderLabel,
} from './names.ts';
export {
  /** A `components.d` folder, read. */
  type ComponentTree,
  /** A folder of a tree that is a component. */
  type Entry,
  /** Reads a folder of components; nothing is run. */
  readTree,
  /** Kinds of components that a tree may hold. */
  type TreeComponentKind,
} from './read.ts';
