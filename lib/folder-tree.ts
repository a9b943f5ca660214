import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { SolpackError } from './errors.ts';
import type { HeldFolder } from './held-folder.ts';
import { codeOf, unwritable } from './system-errors.ts';

/** Folders on the way to the last one that stay held, so that no depth takes all descriptors. */
const KEPT = 32;

/** The folders below a held one. */
export interface FolderTree extends AsyncDisposable {
  /**
   * The folder `path`, names with `/` between them, held until the next call. It is made where it is absent, unless `make` is
   * false. Throws `output-exists`, `output-unwritable`.
   */
  at(path: string, make?: boolean): Promise<HeldFolder>;
}

/** The tree below `root`, which ends with it. `onMade` is told of each folder that was not there. */
export function folderTree(root: HeldFolder, onMade: (path: string) => void = () => undefined): FolderTree {
  const way: { readonly name: string; readonly folder: HeldFolder }[] = [];
  let last: { readonly path: string; readonly folder: HeldFolder } = { path: '', folder: root };
  const leave = async (depth: number): Promise<void> => {
    // The last one is held by nobody else where it lies deeper than what is kept.
    if (last.folder !== root && !way.some(({ folder }) => folder === last.folder)) await last.folder.close();
    last = { path: '', folder: root };
    while (way.length > depth) await way.pop()!.folder.close();
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
      const other = way.findIndex(({ name }, at) => name !== names[at]);
      await leave(other < 0 ? way.length : other);
      last = { path: '', folder: way.at(-1)?.folder ?? root };
      for (let depth = way.length + 1; depth <= names.length; depth += 1) {
        const before = last.folder;
        const folder = await enter(names.slice(0, depth), make);
        if (way.length < KEPT) way.push({ name: names[depth - 1]!, folder });
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

/** Holds the folder `path` below another one, name by name. A link on the way is no folder. Throws the error of the system. */
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

/** Makes a folder; whether it was not there. Throws the error of the system. */
export async function makeFolder(folder: HeldFolder, name: string): Promise<boolean> {
  try {
    await fs.mkdir(folder.at(name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What is in the way of a folder. */
export function noFolder(path: string, cause: unknown): SolpackError {
  return new SolpackError('output-exists', path, 'is there already, and is not a folder', {
    hint: 'write into an empty folder',
    cause,
  });
}
