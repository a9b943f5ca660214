import * as fs from 'node:fs/promises';
import { unwritable } from './system-errors.ts';

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
