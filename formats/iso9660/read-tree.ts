import { FormatError } from '../error.ts';
import type { Tree, TreeEntry } from '../tree.ts';
import { limits } from './limits.ts';
import { type OverlapCheck, overlapCheck } from './overlap.ts';
import { type ListedNode, type Reading, readDirectory } from './read-directory.ts';
import { SECTOR } from './sector.ts';
import type { DirectoryExtent } from './volume.ts';

/** Directories that are kept once they were read, and the most entries of all but the last of them. */
const KEPT = 32;
const KEPT_ENTRIES = 100_000;

/** Where Rock Ridge writers put directories that are too deep. */
const movedFolder = /^\.?rr_moved$/i;

type Listing = ReadonlyMap<string, ListedNode>;
type List = (directory: DirectoryExtent) => Promise<Listing>;

/** The tree below `top`. */
export function treeOf(reading: Reading, top: DirectoryExtent): Tree {
  const list = lister(reading, top);
  const start: ListedNode = { name: '', type: 'dir', size: 0, mode: 0o755, extents: [], directory: top };
  const find = async (path: string): Promise<ListedNode[] | undefined> => {
    const names = path === '' ? [] : path.split('/');
    if (names.length > limits.depth) return undefined;
    const way = [start];
    for (const name of names) {
      const { directory } = way.at(-1)!;
      const node = directory && (await list(directory)).get(name);
      if (!node) return undefined;
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
    walk: async function* (path = '') {
      const way = await find(path);
      if (way?.at(-1)?.directory) yield* walk(list, reading.volume.source.size, path, way);
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

/** Reads directories, sorted by name and without what is not to be seen, and keeps what was read last. */
function lister(reading: Reading, top: DirectoryExtent): List {
  const kept = new Map<number, { listing: Promise<Listing>; size: number }>();
  const read: List = async (directory) => {
    const shown: ListedNode[] = [];
    for (const node of (await readDirectory(reading, directory)).values()) {
      const folder = directory.block === top.block && movedFolder.test(node.name) ? node.directory : undefined;
      if (!node.relocated && !(folder && (await holdsMovedOnly(reading, folder)))) shown.push(node);
    }
    const keys = new Map(shown.map(({ name }) => [name, Buffer.from(name)]));
    shown.sort((a, b) => Buffer.compare(keys.get(a.name)!, keys.get(b.name)!));
    return new Map(shown.map((node) => [node.name, node]));
  };
  const trim = (): void => {
    let total = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [block, { size }] of kept) {
      if (kept.size === 1 || (kept.size <= KEPT && total <= KEPT_ENTRIES)) return;
      kept.delete(block);
      total -= size;
    }
  };
  return async (directory) => {
    const { block } = directory;
    const one = kept.get(block) ?? { listing: read(directory), size: 0 };
    // What is asked for again moves to the end: the front is what goes first.
    kept.delete(block);
    kept.set(block, one);
    try {
      one.size = (await one.listing).size;
    } catch (error) {
      kept.delete(block);
      throw error;
    }
    trim();
    return one.listing;
  };
}

async function holdsMovedOnly(reading: Reading, folder: DirectoryExtent): Promise<boolean> {
  const nodes = [...(await readDirectory(reading, folder)).values()];
  return nodes.length > 0 && nodes.every((node) => node.relocated);
}

/** Everything below the last directory of `way`, which `path` names; keeps no more than the listings on the way down. */
async function* walk(
  list: List,
  imageSize: number,
  path: string,
  way: readonly ListedNode[],
): AsyncGenerator<TreeEntry> {
  const budget = walkBudget(imageSize);
  const seen = new Set(way.map(({ directory }) => directory!.block));
  const open = async (at: string, directory: DirectoryExtent) => {
    budget.directory(directory);
    return { at, nodes: (await list(directory)).values() };
  };
  const stack = [await open(path, way.at(-1)!.directory!)];
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const { value: node } = level.nodes.next();
    if (!node) {
      stack.pop();
      continue;
    }
    const entry = entryOf(level.at === '' ? node.name : `${level.at}/${node.name}`, node);
    budget.entry(entry);
    if (node.directory && seen.has(node.directory.block)) throw loop(node.name, node.directory);
    yield entry;
    if (!node.directory) continue;
    seen.add(node.directory.block);
    stack.push(await open(entry.path, node.directory));
  }
  budget.finish();
}

interface Budget extends Pick<OverlapCheck, 'finish'> {
  directory(extent: DirectoryExtent): void;
  entry(entry: TreeEntry): void;
}

/** Counts what a walk meets. Throws `FormatError` `iso9660-limit` or `iso9660-overlap`. */
function walkBudget(imageSize: number): Budget {
  const overlaps = overlapCheck();
  let [entries, directories, bytes] = [0, 0, 0];
  const exceeded = (what: string): FormatError => new FormatError('iso9660-limit', `the image has ${what}`);
  return {
    directory: ({ block, size }) => {
      directories += size;
      if (directories > limits.directories) throw exceeded(`directories of more than ${limits.directories} bytes`);
      overlaps.directory({ offset: block * SECTOR, size });
    },
    entry: ({ path, size, extents }) => {
      entries += 1;
      bytes += size;
      if (entries > limits.entries) throw exceeded(`more than ${limits.entries} entries`);
      if (path.split('/').length > limits.depth) throw exceeded(`paths of more than ${limits.depth} names`);
      if (Buffer.byteLength(path) > limits.path) throw exceeded(`a path of more than ${limits.path} bytes`);
      if (bytes > imageSize * limits.expansion) {
        throw exceeded(`files of more than ${limits.expansion} times its own size`);
      }
      for (const extent of extents) overlaps.file(extent);
    },
    finish: overlaps.finish,
  };
}
