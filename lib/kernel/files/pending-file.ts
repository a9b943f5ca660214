import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Bytes } from '../../../formats/bytes.ts';
import { codeOf, lend, SolpackError, unwritable } from '../events/index.ts';
import { type HeldFolder, holdFolder, ownUser, pathTo } from './held-folder.ts';

/**
 * What the umask of this process forbids to others. It is read once at the start, because reading it changes it for a
 * moment in all threads.
 */
const umask = process.umask() & 0o077;

/**
 * The mode of a file that is written, as far as the umask permits; or what is known of a file whose mode and owner it
 * takes over.
 */
export type FileMode = number | Pick<Stats, 'mode' | 'uid' | 'gid'>;

/** Returns the path that the file `path` has while it is written. */
export function partialPath(path: string): string {
  return `${path}.partial`;
}

/** A file that is being written. Nothing has its final name before `commit`. */
export interface PendingFile extends AsyncDisposable {
  /** The folder in which it is written. */
  readonly folder: HeldFolder;
  /** A path by which threads of this process reach its bytes before `commit`, whatever its name stands for by now. */
  readonly bytes: string;
  stat(): Promise<Stats>;
  /** Writes all of `bytes` at `offset`. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Sets its size in bytes. Added bytes are zeros, which take no space on most file systems. */
  resize(size: number): Promise<void>;
  /** Makes the bytes written so far durable. */
  sync(): Promise<void>;
  /** Makes the bytes durable, unless `sync` is false, and gives the file its final name and mode. */
  commit(sync?: boolean): Promise<void>;
  /** Closes the file, and leaves its bytes for a later run. Does nothing after `commit`. */
  leave(): Promise<void>;
  /** Removes the file. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/**
 * Begins the file `path` as `path.partial` beside it, which nobody else may read or write. `commit` syncs it, gives it
 * `mode` as far as the umask permits, and renames it to `path`; leaving the scope without `commit` removes it. Throws
 * `output-unwritable`, `disk-full`, and `output-exists` where somebody else owns a `path.partial`.
 */
export async function createFile(path: string, mode: number = 0o644): Promise<PendingFile> {
  return holding(path, (folder) => createIn(folder, basename(path), mode));
}

/** Does the same below a held folder. */
export async function createIn(folder: HeldFolder, name: string, mode: FileMode = 0o644): Promise<PendingFile> {
  return opening(folder, name, mode, () => createOwn(folder, partialPath(name), constants.O_RDWR));
}

/**
 * Reopens the `path.partial` of an earlier run. Undefined where there is none that only this user can have written: a
 * file of mode 0600 with one name. Throws as `createFile`.
 */
export async function reopenFile(path: string, mode: number = 0o644): Promise<PendingFile | undefined> {
  return holding(path, async (folder) => {
    const name = basename(path);
    const handle = await openOwn(folder, partialPath(name), constants.O_RDWR);
    return handle && opening(folder, name, mode, async () => handle);
  });
}

/**
 * Makes sure that the file `path` can be written, before what goes into it is fetched or made: its folder is there,
 * this user may write to it, and nothing but a file would be replaced. Throws `output-unwritable`.
 */
export async function requireCreatable(path: string): Promise<void> {
  await holding(path, async (folder) => {
    await requireReplaceable(folder, basename(path));
    await fs.access(dirname(path), constants.W_OK | constants.X_OK);
    const there = await fs.lstat(path).catch(unlessAbsent);
    if (there?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  });
}

async function holding<T>(path: string, work: (folder: HeldFolder) => Promise<T>): Promise<T> {
  try {
    return await lend(await holdFolder(dirname(path)), work);
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function opening(
  folder: HeldFolder,
  name: string,
  mode: FileMode,
  open: () => Promise<fs.FileHandle>,
): Promise<PendingFile> {
  let handle: fs.FileHandle | undefined;
  try {
    await requireReplaceable(folder, name);
    handle = await open();
    return pending(await folder.again(), name, handle, mode);
  } catch (error) {
    await handle?.close();
    throw unwritable(join(folder.path, name), error);
  }
}

/**
 * Makes sure that renaming to `name` replaces nothing but a file or a link: a device or a pipe would be gone. Throws
 * `output-unwritable`.
 */
async function requireReplaceable(folder: HeldFolder, name: string): Promise<void> {
  const there = await fs.lstat(folder.at(name)).catch(unlessAbsent);
  if (there === undefined || there.isFile() || there.isSymbolicLink() || there.isDirectory()) return;
  const what = there.isFIFO() ? 'a pipe' : there.isSocket() ? 'a socket' : 'a device';
  throw new SolpackError('output-unwritable', join(folder.path, name), `is ${what}, which a file would replace`, {
    hint: 'name a file, or one that does not exist',
  });
}

/**
 * Creates a file that only this user may read and write, and replaces one that an earlier run of this user left. Throws
 * `output-exists` where somebody else owns the name, otherwise the error of the system.
 */
export async function createOwn(folder: HeldFolder, name: string, flags: number, mode = 0o600): Promise<fs.FileHandle> {
  const create = (): Promise<fs.FileHandle> => folder.open(name, constants.O_CREAT | constants.O_EXCL | flags, mode);
  try {
    return await create();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await removeOwn(folder, name);
    return create();
  }
}

/**
 * Removes a file of this user. Does nothing where it is absent. Throws `output-exists` where it is a folder, or belongs
 * to somebody else.
 */
export async function removeOwn(folder: HeldFolder, name: string): Promise<void> {
  try {
    const stats = await fs.lstat(folder.at(name));
    if (isOwn(stats) && !stats.isDirectory()) await fs.unlink(folder.at(name));
    else throw foreign(folder, name, stats);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/**
 * Opens a file that only this user can have written; undefined where it is absent, or where others could have written
 * it.
 */
export async function openOwn(folder: HeldFolder, name: string, flags: number): Promise<fs.FileHandle | undefined> {
  const there = await fs.lstat(folder.at(name)).catch(unlessAbsent);
  if (!there) return undefined;
  if (!isOwn(there)) throw foreign(folder, name, there);
  if (!there.isFile()) return undefined;
  const handle = await folder.open(name, flags | (constants.O_NONBLOCK ?? 0));
  const stats = await handle.stat();
  // The name may stand for another file by now than the one that was looked at.
  if (stats.isFile() && isOwn(stats) && stats.nlink === 1 && isPrivate(stats)) return handle;
  await handle.close();
  return undefined;
}

function isOwn({ uid }: Stats): boolean {
  return ownUser() === undefined || uid === ownUser();
}

function isPrivate({ mode }: Stats): boolean {
  return ownUser() === undefined || (mode & 0o7777) === 0o600;
}

function foreign(folder: HeldFolder, name: string, stats: Stats): SolpackError {
  const what = stats.isDirectory() ? 'is a folder' : `belongs to user ${stats.uid}`;
  return new SolpackError('output-exists', join(folder.path, name), `${what}, and cannot be replaced`, {
    hint: 'remove it, or choose another place',
  });
}

function unlessAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function pending(folder: HeldFolder, name: string, handle: fs.FileHandle, mode: FileMode): PendingFile {
  const [path, partial] = [join(folder.path, name), partialPath(name)];
  let settled = false;
  const end = async (work: () => Promise<void>): Promise<void> => {
    if (settled) return;
    settled = true;
    await handle.close().catch(() => undefined);
    await work().finally(() => folder.close());
  };
  const discard = (): Promise<void> => end(() => fs.unlink(folder.at(partial)).catch(() => undefined));
  const writing = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  return {
    folder,
    bytes: pathTo(handle, partialPath(path)),
    stat: () => handle.stat(),
    write: (bytes, offset) =>
      writing(async () => {
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
          done += bytesWritten;
        }
      }),
    resize: (size) => writing(() => handle.truncate(size)),
    sync: () => writing(() => handle.datasync()),
    commit: async (sync = true) => {
      try {
        if (typeof mode === 'number') await allow(handle, mode);
        else await inheritOwner(handle, mode, path);
        if (sync) await handle.sync();
        await handle.close();
        await fs.rename(folder.at(partial), folder.at(name));
        if (sync) await folder.sync();
        await end(async () => undefined);
      } catch (error) {
        await discard();
        throw unwritable(path, error);
      }
    },
    leave: () => end(async () => undefined),
    discard,
    [Symbol.asyncDispose]: discard,
  };
}

/** Gives a file its mode, as far as the umask permits. Some file systems have no modes. */
async function allow(handle: fs.FileHandle, mode: number): Promise<void> {
  await handle.chmod(mode & ~umask).catch(() => undefined);
}

/**
 * Gives a file the owner and the mode of another one. Throws `output-unwritable` where this user may not give it to
 * that owner.
 */
async function inheritOwner(handle: fs.FileHandle, from: Exclude<FileMode, number>, path: string): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (ownUser() !== undefined && (uid !== from.uid || gid !== from.gid)) {
    await handle.chown(from.uid, from.gid).catch((cause: unknown) => {
      throw new SolpackError('output-unwritable', path, `belongs to user ${from.uid} and group ${from.gid}`, {
        cause,
        hint: 'change it as its owner or as root, so that its owner stays the same',
      });
    });
  }
  await handle.chmod(from.mode & 0o7777).catch(() => undefined);
}

/** Replaces `path` by some bytes, wholly or not at all, and durably. */
export async function writeFile(path: string, bytes: Uint8Array | Bytes, mode: number = 0o644): Promise<void> {
  await fill(await createFile(path, mode), bytes);
}

/** Does the same below a held folder. */
export async function writeIn(
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array,
  mode: FileMode = 0o644,
): Promise<void> {
  await fill(await createIn(folder, name, mode), bytes);
}

async function fill(file: PendingFile, bytes: Uint8Array | Bytes): Promise<void> {
  try {
    let offset = 0;
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      await file.write(chunk, offset);
      offset += chunk.length;
    }
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** Writes a new file durably. Throws `output-exists` where the name is taken, `output-unwritable`, `disk-full`. */
export async function writeNew(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const name = basename(path);
  await holding(path, async (folder) => {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
    const handle = await folder.open(name, flags, 0o600).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      throw new SolpackError('output-exists', path, 'is there already', { hint: 'write elsewhere', cause: error });
    });
    try {
      await allow(handle, mode);
      await handle.writeFile(bytes);
      await handle.sync();
    } catch (error) {
      await fs.unlink(folder.at(name));
      throw error;
    } finally {
      await handle.close();
    }
    await folder.sync();
  });
}
