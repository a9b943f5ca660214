/** A run of bytes in a carrier. */
export interface Extent {
  readonly offset: number;
  readonly size: number;
}

/** Returns extents with those merged that follow each other directly. */
export function joined(extents: readonly Extent[]): Extent[] {
  const whole: Extent[] = [];
  for (const extent of extents) {
    const last = whole.at(-1);
    if (last && last.offset + last.size === extent.offset) {
      whole[whole.length - 1] = { offset: last.offset, size: last.size + extent.size };
    } else whole.push(extent);
  }
  return whole;
}

/** One file, directory or symbolic link that a carrier holds. */
export interface TreeEntry {
  /** Relative to the top, with `/` between names and none at either end. The top itself is ''. */
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'other';
  /** Size of a file in bytes; 0 for everything else. */
  readonly size: number;
  /** Permission bits, such as 0o755. */
  readonly mode: number;
  /** Where the bytes of a file lie, in order; empty for everything else. */
  readonly extents: readonly Extent[];
  /** The target of a symbolic link, as it is stored. */
  readonly target?: string;
}

/**
 * How many times the size of a carrier all its files together may have. Files can share bytes, so it may be more than
 * once.
 */
export const EXPANSION = 128;

/** The files of a carrier. They are read when they are asked for, from wherever the carrier's bytes lie. */
export interface Tree {
  /** How many entries are held in memory, if all of them are. */
  readonly held?: number;
  /** Returns the entry at `path`, or undefined. Does not follow symbolic links. */
  lookup(path: string): Promise<TreeEntry | undefined>;
  /**
   * Lists every entry below `path` (default: the top), a directory before what it holds. `path` itself is left out, and
   * so is what has fewer than `atLeast` bytes and is not a directory. Such small things need not be looked into, so
   * damage in them may go unseen.
   */
  walk(path?: string, atLeast?: number): AsyncIterable<TreeEntry>;
}
