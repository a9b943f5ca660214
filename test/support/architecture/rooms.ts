import { circles, type Graph } from './graph.ts';

/**
 * Finds circles between rooms. A room is a folder with all below it. In each folder, its rooms and its own files import
 * each other in one direction only, so that each can be read, and moved, without what imports it.
 */
export function roomCircles(files: Graph): string[] {
  const folders = new Set([...files.keys()].flatMap(foldersOf));
  return [...folders].flatMap((folder) => circles(inside(folder, files)));
}

/** The folders that a file lies in, `''` for the top of the checkout. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
}

/** What lies in one folder, and how it imports what else lies there. */
function inside(folder: string, files: Graph): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [path, targets] of files) {
    if (!path.startsWith(folder)) continue;
    const here = childOf(folder, path);
    const others = graph.get(here) ?? new Set();
    graph.set(here, others);
    for (const target of targets) {
      if (target.startsWith(folder) && childOf(folder, target) !== here) others.add(childOf(folder, target));
    }
  }
  return graph;
}

/** What of `folder` a path leads through: `lib/tar/` and `lib/tar/x/y.ts` make `lib/tar/x/`. */
function childOf(folder: string, path: string): string {
  const end = path.indexOf('/', folder.length);
  return end < 0 ? path : path.slice(0, end + 1);
}
