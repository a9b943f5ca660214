import { statfsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizePair } from '../../../formats/size-words.ts';
import { SolpackError, unwritable } from '../events/index.ts';

/** Decides whether there is a folder at `path`, or a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/**
 * Decides whether this user may make files in the folder at `path`, as far as its permissions and its file system say.
 */
export function isWritable(path: string): Promise<boolean> {
  return fs.access(path, fs.constants.W_OK).then(
    () => true,
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
 * FAT32 has 32 bits for the size of a file (FAT: General Overview of On-Disk Format, `DIR_FileSize`); `type` as Linux
 * numbers it.
 */
const fat32 = { type: 0x4d44, largest: 2 ** 32 - 1 } as const;

/**
 * Requires that a file of `size` bytes can be written at `path`, of which `kept` are there already. Throws `disk-full`,
 * and `output-unwritable` where the folder does not exist, or its file system holds no file of that size.
 */
export async function requireFits(path: string, size: number, kept = 0): Promise<void> {
  const folder = dirname(path);
  const { bavail, bsize, type } = await fs.statfs(folder).catch((error) => {
    throw unwritable(folder, error);
  });
  if (type === fat32.type && size > fat32.largest) {
    const [whole, most] = sizePair(size, fat32.largest);
    const message = `needs ${whole}, but its disk is formatted as FAT32, where no file has more than ${most}`;
    throw new SolpackError('output-unwritable', path, message, {
      hint: 'format the disk as exFAT or ext4, or write to another one',
    });
  }
  const [needed, free] = [size - kept, bavail * bsize];
  if (free >= needed) return;
  const [wanted, there] = sizePair(needed, free);
  throw new SolpackError('disk-full', path, `needs ${wanted}, but ${there} are free`, {
    hint: 'free some space or write to another disk',
  });
}

/** Returns the free bytes for this user on the disk that holds `folder`; undefined where the system does not tell. */
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

/** What the system reports the disk that holds a folder. */
export interface DiskFacts {
  /** Bytes that this user may still write. */
  readonly free: number;
  /** Most bytes of a file; absent where its kind of file system has no bound that matters. */
  readonly largest?: number;
  /** Whether no further file can be made, whatever is free: its table of files is full. */
  readonly isOutOfFiles: boolean;
}

/**
 * Reports the disk where a folder is, or will be made: that of the nearest one above that exists; undefined where
 * nothing is reported.
 */
export async function diskFor(folder: string): Promise<DiskFacts | undefined> {
  const statistics = await fs.statfs(folder).catch(() => undefined);
  if (statistics === undefined) return dirname(folder) === folder ? undefined : diskFor(dirname(folder));
  const { bavail, bsize, type, files, ffree } = statistics;
  return {
    free: bavail * bsize,
    ...(type === fat32.type ? { largest: fat32.largest } : {}),
    // Those that have no such table count none.
    isOutOfFiles: files > 0 && ffree === 0,
  };
}
