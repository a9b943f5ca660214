import { statfsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from './system-errors.ts';

/** Decides whether there is a folder at `path`, or a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Decides whether anything has the name `path`, be it a symbolic link that leads nowhere. */
export function isThere(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
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

/** Returns the same at once, for who cannot wait; undefined where the system does not tell. */
export function freeSpaceNow(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Returns the free bytes where a folder is, or will be made: of the nearest one above that exists. */
export function freeSpaceFor(folder: string): number | undefined {
  const free = freeSpaceNow(folder);
  return free === undefined && dirname(folder) !== folder ? freeSpaceFor(dirname(folder)) : free;
}
