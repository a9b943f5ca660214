import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, SolpackError, unwritable } from '../events/index.ts';
import type { HeldFolder } from './held-folder.ts';

/** How many parent folders stay held: without a limit, a deep path would use up all file descriptors. */
const KEPT = 32;

/** The folders below a held folder. */
export interface FolderTree extends AsyncDisposable {
  /**
   * Returns the folder `path`, with `/` between its names, held until the next call. Makes it where it is absent,
   * unless `make` is false. Throws `output-exists`, `output-unwritable`.
   */
  at(path: string, make?: boolean): Promise<HeldFolder>;
}

/** Returns the tree below `root`, which is released with it. Calls `onMade` for each folder that it makes. */
export function folderTree(root: HeldFolder, onMade: (path: string) => void = () => undefined): FolderTree {
  const parents: { readonly name: string; readonly folder: HeldFolder }[] = [];
  let last: { readonly path: string; readonly folder: HeldFolder } = { path: '', folder: root };
  const leave = async (depth: number): Promise<void> => {
    // A folder deeper than `KEPT` is held by `last` alone.
    if (last.folder !== root && !parents.some(({ folder }) => folder === last.folder)) await last.folder.close();
    last = { path: '', folder: root };
    while (parents.length > depth) await parents.pop()!.folder.close();
  };
  const enter = async (names: readonly string[], make: boolean): Promise<HeldFolder> => {
    const name = names.at(-1)!;
    const full = join(root.path, ...names);
    try {
      if (make && (await makeFolder(last.folder, name))) onMade(names.join('/'));
      return await last.folder.enter(name);
    } catch (error) {
      throw codeOf(error) === 'ENOTDIR' ? noFolder(full, error) : unwritable(full, error);
    }
  };
  return {
    at: async (path, make = true) => {
      if (path === last.path) return last.folder;
      const names = namesOf(path);
      const other = parents.findIndex(({ name }, at) => name !== names[at]);
      await leave(other < 0 ? parents.length : other);
      last = { path: '', folder: parents.at(-1)?.folder ?? root };
      for (let depth = parents.length + 1; depth <= names.length; depth += 1) {
        const before = last.folder;
        const folder = await enter(names.slice(0, depth), make);
        if (parents.length < KEPT) parents.push({ name: names[depth - 1]!, folder });
        else if (depth > KEPT + 1) await before.close();
        last = { path: '', folder };
      }
      last = { path, folder: last.folder };
      return last.folder;
    },
    [Symbol.asyncDispose]: async () => {
      await leave(0);
      await root.close();
    },
  };
}

/**
 * Holds the folder `path` below another one, name by name. A link on the way counts as no folder. Throws the error of
 * the system.
 */
export async function enterBelow(root: HeldFolder, path: string, make = false): Promise<HeldFolder> {
  let here = await root.again();
  for (const name of namesOf(path)) {
    const above = here;
    here = await above.enter(name, make).finally(() => above.close());
  }
  return here;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Makes a folder. Returns whether it was absent. Throws the error of the system. */
export async function makeFolder(folder: HeldFolder, name: string): Promise<boolean> {
  try {
    await fs.mkdir(folder.at(name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Makes the error about something that is not a folder, where one is needed. */
export function noFolder(path: string, cause: unknown): SolpackError {
  return new SolpackError('output-exists', path, 'exists, and is not a folder', {
    hint: 'write into an empty folder',
    cause,
  });
}
