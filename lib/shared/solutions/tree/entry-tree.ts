import { byteOrder } from '../../../../formats/bytes.ts';
import type { Tree, TreeEntry } from '../../../../formats/tree.ts';

/** Makes a tree of files, and of the folders that their paths lead through. */
export function entryTree(files: readonly TreeEntry[]): Tree {
  const entries = new Map<string, TreeEntry>();
  for (const file of files) {
    for (let end = file.path.indexOf('/'); end > 0; end = file.path.indexOf('/', end + 1)) {
      const path = file.path.slice(0, end);
      entries.set(path, { path, type: 'dir', size: 0, mode: 0o755, extents: [] });
    }
    entries.set(file.path, file);
  }
  return {
    held: entries.size,
    lookup: async (path) => entries.get(path),
    walk: async function* (path = '', atLeast = 0) {
      const below = path === '' ? '' : `${path}/`;
      const names = [...entries.keys()].filter((name) => name.startsWith(below) && name !== path).sort(inTreeOrder);
      for (const name of names) {
        const entry = entries.get(name)!;
        if (entry.type === 'dir' || entry.size >= atLeast) yield entry;
      }
    },
  };
}

/** The order in which a folder comes before what it holds, and names beside each other as their bytes do. */
function inTreeOrder(one: string, other: string): number {
  return byteOrder(one.replaceAll('/', '\0'), other.replaceAll('/', '\0'));
}
