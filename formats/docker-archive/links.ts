import { FormatError } from '../error.ts';
import type { Tree, TreeEntry } from '../tree.ts';

/** How many symbolic links may lead from one to the next. */
const LINK_LIMIT = 8;

/**
 * Returns the file at `path`, following symbolic links: `docker save` stores a layer that several images share once,
 * and links to it from the others. Never leaves the archive. Throws `FormatError` `docker-archive-invalid` if there is
 * no file.
 */
export async function followLinks(tree: Tree, path: string): Promise<TreeEntry> {
  let at = clean('', path);
  for (let hops = 0; hops <= LINK_LIMIT && at !== undefined; hops += 1) {
    const entry = await tree.lookup(at);
    if (entry?.type === 'file') return entry;
    if (entry?.type !== 'symlink' || entry.target === undefined) break;
    at = clean(at.slice(0, Math.max(0, at.lastIndexOf('/'))), entry.target);
  }
  throw new FormatError(
    'docker-archive-invalid',
    `the archive should have ${JSON.stringify(path)}, but has no such file`,
  );
}

/** Resolves `path` as seen from `folder`. Undefined if it is absolute or leads out of the archive. */
function clean(folder: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined;
  const names = folder === '' ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}
