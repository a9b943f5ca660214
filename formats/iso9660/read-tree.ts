import { FormatError } from '../error.ts';
import type { Tree, TreeEntry } from '../tree.ts';
import { limits } from './limits.ts';
import type { DirectoryListing, ListedNode } from './listing.ts';
import type { TreeReading } from './read-directory.ts';
import { type List, lister } from './read-listings.ts';
import { SECTOR } from './sector.ts';
import type { DirectoryExtent, Volume } from './volume.ts';
import { walkBudget } from './walk-budget.ts';

/** Opens the tree below `top`. */
export function treeOf(reading: TreeReading, top: DirectoryExtent): Tree {
  const list = lister(reading, top);
  const start: ListedNode = { name: '', type: 'dir', size: 0, mode: 0o755, extents: [], directory: top };
  const find = async (path: string): Promise<ListedNode[] | undefined> => {
    const names = path === '' ? [] : path.split('/');
    if (names.length > limits.depth) return undefined;
    const way = [start];
    for (const name of names) {
      const { directory } = way.at(-1)!;
      if (!directory) return undefined;
      const listing = await list(directory);
      const position = listing.find(name);
      if (position < 0) return undefined;
      const node = listing.node(position);
      requireNew(way, node);
      way.push(node);
    }
    return way;
  };
  return {
    lookup: async (path) => {
      const way = await find(path);
      return way && entryOf(path, way.at(-1)!);
    },
    walk: async function* (path = '', atLeast = 0) {
      const way = await find(path);
      if (way?.at(-1)?.directory) yield* walk(list, reading.volume, path, way, atLeast);
    },
  };
}

function entryOf(path: string, { type, size, mode, extents, target }: ListedNode): TreeEntry {
  return { path, type, size, mode, extents, ...(target === undefined ? {} : { target }) };
}

function requireNew(way: readonly ListedNode[], { directory, name }: ListedNode): void {
  if (directory && way.some((above) => above.directory?.block === directory.block)) throw loop(name, directory);
}

function loop(name: string, { block }: DirectoryExtent): FormatError {
  const what = `directory ${JSON.stringify(name)} at block ${block} is reached a second time`;
  return new FormatError('iso9660-directory-loop', what, { offset: block * SECTOR });
}

/** A directory on the way down, and how far the walk has come in it. */
interface Level {
  readonly path: string;
  readonly listing: DirectoryListing;
  next: number;
}

/** Walks everything below the last directory of `way`, which `path` names. Holds only the listings on the way down. */
async function* walk(
  list: List,
  volume: Volume,
  path: string,
  way: readonly ListedNode[],
  atLeast: number,
): AsyncGenerator<TreeEntry> {
  const budget = walkBudget(volume);
  const seen = new Set(way.map(({ directory }) => directory!.block));
  const stack: Level[] = [];
  const open = async (at: string, directory: DirectoryExtent): Promise<void> => {
    budget.directory(directory);
    const listing = await list(directory, atLeast);
    stack.push({ path: at, listing, next: 0 });
    budget.held(stack.reduce((total, level) => total + level.listing.texts, 0));
  };
  await open(path, way.at(-1)!.directory!);
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    if (level.next === level.listing.length) {
      stack.pop();
      continue;
    }
    const node = level.listing.node(level.next);
    level.next += 1;
    if (!node.directory && node.size < atLeast) continue;
    const entry = entryOf(level.path === '' ? node.name : `${level.path}/${node.name}`, node);
    budget.entry(entry);
    if (node.directory && seen.has(node.directory.block)) throw loop(node.name, node.directory);
    yield entry;
    if (!node.directory) continue;
    seen.add(node.directory.block);
    await open(entry.path, node.directory);
  }
  budget.finish();
}
