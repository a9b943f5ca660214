import { inByteOrder } from '../bytes.ts';
import { FormatError } from '../error.ts';
import type { FileEntry } from '../segments.ts';
import { limits } from './limits.ts';
import { SECTOR } from './sector.ts';

/** A directory to be written. */
export interface DirectoryNode {
  /** '' for the top. */
  readonly path: string;
  /** Undefined for the top. */
  readonly parent: DirectoryNode | undefined;
  /** What it holds, ordered by the UTF-8 bytes of the names. */
  readonly children: readonly Node[];
  /** How many of the children are directories. */
  readonly subdirectories: number;
}

/** What a directory holds. A file is the entry that was given: a million of them need no second object each. */
export type Node = FileEntry | DirectoryNode;

interface Growing extends DirectoryNode {
  children: Node[];
  subdirectories: number;
}

/** The most bytes of a section that is not the last of its file: the largest 32-bit number of whole sectors. */
export const SECTION_SIZE: number = 2 ** 32 - SECTOR;

/** Returns whether a node is a directory. */
export function isDirectory(node: Node): node is DirectoryNode {
  return 'children' in node;
}

/** Returns the last name of a node's path. */
export function nodeName({ path }: Node): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Makes the error for a tree that cannot be written: `path`, and why. */
export function unrepresentable(path: string, why: string): FormatError {
  return new FormatError(
    'iso9660-unrepresentable',
    `cannot write ${JSON.stringify(path)} to an ISO 9660 image: ${why}`,
  );
}

/**
 * Builds the directories that the paths of `files` imply. The order of `files` does not matter. Throws `FormatError`
 * `iso9660-unrepresentable` for a path that is absolute or has an empty, `.`, `..`, too long or ill-formed name; for a
 * path that is given twice, or as file and as directory; for a mode beyond 0777; for a size that no file can have; and
 * for too many files or directories.
 */
export function buildTree(files: readonly FileEntry[]): DirectoryNode {
  const top = emptyDirectory('', undefined);
  const directories = new Map<string, Growing>([['', top]]);
  for (const [at, entry] of files.entries()) {
    requireWritable(entry);
    const slash = entry.path.lastIndexOf('/');
    const parent = directoryAt(directories, slash < 0 ? '' : entry.path.slice(0, slash));
    parent.children.push(entry);
    if (at + directories.size > limits.entries) {
      throw unrepresentable(entry.path, `there are more than ${limits.entries} files and directories`);
    }
  }
  for (const directory of directories.values()) {
    directory.children = inByteOrder(directory.children, ({ path }) => path);
    requireDistinct(directory.children);
  }
  return top;
}

function directoryAt(directories: Map<string, Growing>, path: string): Growing {
  const known = directories.get(path);
  if (known) return known;
  const slash = path.lastIndexOf('/');
  const parent = directoryAt(directories, slash < 0 ? '' : path.slice(0, slash));
  const made = emptyDirectory(path, parent);
  if (directories.size >= limits.writtenDirectories) {
    throw unrepresentable(path, `there are more than ${limits.writtenDirectories} directories`);
  }
  directories.set(path, made);
  parent.children.push(made);
  parent.subdirectories += 1;
  return made;
}

function emptyDirectory(path: string, parent: DirectoryNode | undefined): Growing {
  return { path, parent, children: [], subdirectories: 0 };
}

function requireWritable({ path, size, mode }: FileEntry): void {
  const names = path.split('/');
  // The limit on names in a path also bounds the recursion that makes the directories above it.
  if (names.length > limits.depth) throw unrepresentable(path, `it is more than ${limits.depth} names deep`);
  if (!path.isWellFormed()) throw unrepresentable(path, 'it is not well-formed Unicode');
  if (Buffer.byteLength(path) > limits.path) throw unrepresentable(path, `it has more than ${limits.path} bytes`);
  for (const name of names) {
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) {
      throw unrepresentable(path, `${JSON.stringify(name)} cannot be the name of a file`);
    }
    if (Buffer.byteLength(name) > limits.writtenName) {
      throw unrepresentable(path, `a name has more than ${limits.writtenName} bytes`);
    }
  }
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) {
    throw unrepresentable(path, `mode ${mode.toString(8)} is more than permission bits`);
  }
  if (!Number.isSafeInteger(size) || size < 0) throw unrepresentable(path, `${size} bytes is not a size of a file`);
  if (size > limits.sections * SECTION_SIZE) {
    throw unrepresentable(path, `${size} bytes would need more than ${limits.sections} sections`);
  }
}

/** Throws if two of `children`, which are sorted, have the same name. */
function requireDistinct(children: readonly Node[]): void {
  for (const [at, node] of children.entries()) {
    const before = children[at - 1];
    if (before?.path !== node.path) continue;
    const one = isDirectory(before) === isDirectory(node);
    throw unrepresentable(node.path, one ? 'the path is there twice' : 'it is a file and a directory');
  }
}
