import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ReadAt } from '../formats/bytes.ts';
import { requireRange } from '../formats/bytes.ts';
import type { Extent } from '../formats/tree.ts';
import { SolpackError } from './errors.ts';
import { promptReads } from './prompt-read.ts';

/** What a flow needs of the machine beyond its files, decided by `cli`. */
export interface Host {
  /** Folders that programs are looked for in, in order. */
  readonly path: readonly string[];
  /** A folder for temporary files. */
  readonly temp: string;
}

/** A file opened for random access. */
export interface OpenFile extends ReadAt, AsyncDisposable {
  /** How messages name it. */
  readonly path: string;
  /** The descriptor by which other threads read what was opened here; absent for what is not on this machine. */
  readonly descriptor?: number;
  /** Fetches pieces that will be read next, in as few requests as it takes; absent where reading is cheap. */
  prefetch?(extents: readonly Extent[]): Promise<void>;
  close(): Promise<void>;
}

const reasons: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file would be larger than this system allows',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'it exists already',
  EIO: 'the disk reports an error',
};

/** The reason of a failed system call in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The `errno` name of a failed system call, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A failure to read `path`, as a user should see it. */
export function unreadable(path: string, error: unknown): SolpackError {
  if (error instanceof SolpackError) return error;
  const missing = codeOf(error) === 'ENOENT';
  return new SolpackError(missing ? 'file-missing' : 'file-unreadable', path, reasonOf(error), {
    cause: error,
    hint: missing ? 'check the path' : 'check its permissions',
  });
}

/** A failure to write `path`, as a user should see it. */
export function unwritable(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof SolpackError || code === undefined || !(code in reasons)) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new SolpackError(full ? 'disk-full' : 'output-unwritable', path, reasonOf(error), {
    cause: error,
    hint: full ? 'free some space or write to another disk' : 'choose another place, or check the permissions there',
  });
}

/** Whether there is a folder at `path`, or a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/**
 * Opens `path` for reading at any offset; `flags` are more of open(2), and `opened` is the path that is opened where messages are to
 * name another. Throws `file-missing` or `file-unreadable`.
 */
export async function openFile(path: string, flags: number = 0, opened: string = path): Promise<OpenFile> {
  let handle: fs.FileHandle;
  let stats: Stats;
  try {
    // A named pipe would be waited for without end.
    handle = await fs.open(opened, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
    stats = await handle.stat();
  } catch (error) {
    throw unreadable(path, error);
  }
  if (!stats.isFile()) {
    await handle.close();
    throw new SolpackError('file-unreadable', path, 'is not a regular file', { hint: 'name a file' });
  }
  const read = promptReads(handle);
  const close = (): Promise<void> => handle.close();
  return {
    path,
    descriptor: handle.fd,
    size: stats.size,
    read: async (offset, length, into) => {
      requireRange(stats.size, offset, length);
      const buffer = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const count = await read(buffer, filled, length - filled, offset + filled).catch((error) => {
          throw unreadable(path, error);
        });
        if (count === 0) requireRange(offset + filled, offset, length);
        filled += count;
      }
      return buffer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads a small file whole; throws `file-unreadable` where it has more than `limit` bytes. */
export async function readFile(path: string, limit: number = 16 * 1024 * 1024): Promise<Uint8Array> {
  const file = await openFile(path);
  try {
    if (file.size > limit) {
      throw new SolpackError('file-unreadable', path, `has ${file.size} bytes, more than the ${limit} expected here`, {
        hint: 'is it the right file?',
      });
    }
    return await file.read(0, file.size);
  } finally {
    await file.close();
  }
}

/** Free bytes for this user on the disk that holds `folder`; throws `output-unwritable` where it does not exist. */
export async function freeSpace(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** The full path of the program `name`; throws `tool-missing` with `hint`. */
export async function findTool(host: Host, name: string, hint: string): Promise<string> {
  for (const folder of host.path) {
    const path = join(folder, name);
    const usable = await fs.access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable && (await fs.stat(path)).isFile()) return path;
  }
  throw new SolpackError('tool-missing', name, 'not found on PATH', { hint });
}

/** The folders of a PATH variable. */
export function pathFolders(variable: string | undefined): string[] {
  return (variable ?? '').split(delimiter).filter((folder) => folder !== '');
}
