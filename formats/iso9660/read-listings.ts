import type { DirectoryListing } from './listing.ts';
import { readDirectory, type TreeReading } from './read-directory.ts';
import type { DirectoryExtent } from './volume.ts';

/**
 * How many directories are kept after they were read, and how many entries the large ones of them may have together,
 * not counting the last.
 */
const KEPT = 64;
const KEPT_ENTRIES = 100_000;
const LARGE = 1000;

/** The folder into which Rock Ridge writers move directories that are too deep. */
const movedFolder = /^\.?rr_moved$/i;

/**
 * Reads a directory, or returns the kept one. With `atLeast` it does as `readDirectory` does: smaller files are not
 * looked into.
 */
export type List = (directory: DirectoryExtent, atLeast?: number) => Promise<DirectoryListing>;

/** Makes a reader of directories. It leaves out what is not to be seen, and keeps those that were read last. */
export function lister(reading: TreeReading, top: DirectoryExtent): List {
  const kept = new Map<number, { listing: Promise<DirectoryListing>; size: number }>();
  const read: List = async (directory, atLeast) => {
    const { listing } = await readDirectory(reading, directory, atLeast);
    if (directory.block === top.block && reading.namespace === 'rock-ridge') await hideMoved(reading, listing);
    return listing;
  };
  const trim = (): void => {
    const large = [...kept].filter(([, { size }]) => size >= LARGE);
    let total = large.reduce((sum, [, { size }]) => sum + size, 0);
    // The last large one stays, however large: the directories on the way to it are small, and must not take its place.
    for (const [block, { size }] of large.slice(0, -1)) {
      if (total <= KEPT_ENTRIES) break;
      kept.delete(block);
      total -= size;
    }
    for (const block of kept.keys()) {
      if (kept.size <= KEPT) return;
      kept.delete(block);
    }
  };
  return async (directory, atLeast = 0) => {
    // A listing without small files is short, and seldom read a second time.
    if (atLeast > 0) return read(directory, atLeast);
    const { block } = directory;
    const one = kept.get(block) ?? { listing: read(directory), size: 0 };
    // What is asked for again moves to the end; what is at the front goes first.
    kept.delete(block);
    kept.set(block, one);
    try {
      one.size = (await one.listing).length;
    } catch (error) {
      kept.delete(block);
      throw error;
    }
    trim();
    return one.listing;
  };
}

/** Hides the folder of moved directories if it holds nothing else. */
async function hideMoved(reading: TreeReading, listing: DirectoryListing): Promise<void> {
  for (const position of listing.matching(movedFolder)) {
    const { directory } = listing.node(position);
    const folder = directory && (await readDirectory(reading, directory));
    if (folder && folder.moved > 0 && folder.listing.length === 0) listing.hide(position);
  }
}
