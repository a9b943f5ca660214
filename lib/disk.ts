import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, unwritable } from './system-errors.ts';

/** Decides whether there is a folder at `path`, or a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/**
 * Returns the free bytes for this user on the disk that holds `folder`. Throws `output-unwritable` where it does not
 * exist.
 */
export async function freeSpace(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Returns the free bytes on the disk that would hold `path`, which may be absent; undefined where nobody can tell. */
export async function freeSpaceFor(path: string): Promise<number | undefined> {
  for (let here = path; ; here = dirname(here)) {
    try {
      const { bavail, bsize } = await fs.statfs(here);
      return bavail * bsize;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || here === dirname(here)) return undefined;
    }
  }
}
