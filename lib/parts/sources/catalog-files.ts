import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { byteOrder } from '../../../formats/bytes.ts';
import { INDEX_IGNORE, parseIndexIgnore } from '../../../formats/catalog/ignore.ts';
import { refused, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { contains, readFile } from '../../kernel/files/index.ts';
import { sourceLimits } from './limits.ts';

/** A file of a catalog. */
export interface OperatorCatalogFile {
  /** Below the folder of the catalog. */
  readonly path: string;
  readonly file: string;
}

/** Names of folders that are no part of what they lie in: history, and what was fetched for a definition. */
const omitted: ReadonlySet<string> = new Set(['.git', '.solpack']);

const DEPTH = 64;

/**
 * Lists the files of a catalog in the folder `folder`, in byte order of their paths, without those that its
 * `.indexignore` files leave out. Links may lead only to what is in `root`. Throws `component-invalid`, `file-missing`.
 */
export async function catalogFiles(
  folder: string,
  root: string,
  signal: AbortSignal,
): Promise<readonly OperatorCatalogFile[]> {
  const found: OperatorCatalogFile[] = [];
  const ignores = new Map<string, string>();
  const visit = async (at: string, prefix: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    const entries = await fs.readdir(at, { withFileTypes: true }).catch((error) => {
      throw unreadable(at, error);
    });
    for (const { name } of entries.filter((entry) => !omitted.has(entry.name))) {
      const [file, path] = [join(at, name), prefix === '' ? name : `${prefix}/${name}`];
      const stats = await within(file, root);
      if (stats.isDirectory()) {
        if (depth === DEPTH) throw invalid(file, 'folders are nested too deep, or contain themselves');
        await visit(file, path, depth + 1);
      } else if (name === INDEX_IGNORE) ignores.set(prefix, Buffer.from(await readFile(file)).toString());
      else found.push({ path, file });
      if (found.length > sourceLimits.entries) throw invalid(folder, `more than ${sourceLimits.entries} files`);
    }
  };
  await visit(folder, '', 0);
  const hint = 'correct the pattern, as for .gitignore';
  const isIgnored = await refused('component-invalid', folder, () => parseIndexIgnore(ignores), hint);
  return found.filter(({ path }) => !isIgnored(path)).sort((a, b) => byteOrder(a.path, b.path));
}

async function within(file: string, root: string): ReturnType<typeof fs.stat> {
  const link = await fs.lstat(file).catch((error) => {
    throw unreadable(file, error);
  });
  if (!link.isSymbolicLink()) return link;
  try {
    const [home, real] = await Promise.all([fs.realpath(root), fs.realpath(file)]);
    if (!contains(home, real)) throw invalid(file, `a symbolic link leads out of ${root}`);
    return await fs.stat(real);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function invalid(path: string, why: string): SolpackError {
  return new SolpackError('component-invalid', path, why, { hint: 'name the folder that holds only the catalog' });
}
