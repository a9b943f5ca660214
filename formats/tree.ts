/** A run of bytes in a carrier. */
export interface Extent {
  readonly offset: number;
  readonly size: number;
}

/** Extents, those that follow each other as one. */
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
  /** Relative to the top, `/` between names, no leading or trailing `/`; the top itself is ''. */
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'other';
  /** Size of a file in bytes; 0 for all else. */
  readonly size: number;
  /** Permission bits, such as 0o755. */
  readonly mode: number;
  /** Where a file's bytes lie, in order; empty for all else. */
  readonly extents: readonly Extent[];
  /** What a symbolic link points to, as it is stored. */
  readonly target?: string;
}

/** How many times the size of a carrier all its files together may claim: several may share their bytes. */
export const EXPANSION = 128;

/** The files of a carrier, read lazily from wherever its bytes lie. */
export interface Tree {
  /** How many entries are held in memory, where they all are. */
  readonly held?: number;
  /** The entry at `path`, or undefined; does not follow symbolic links. */
  lookup(path: string): Promise<TreeEntry | undefined>;
  /**
   * Every entry below `path` (default: the top), directories before what they hold; the start itself is left out, and so is
   * all else that has fewer than `atLeast` bytes, which need not be looked into: what is wrong with it may go unseen.
   */
  walk(path?: string, atLeast?: number): AsyncIterable<TreeEntry>;
}
