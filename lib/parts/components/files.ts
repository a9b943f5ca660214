import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, byteOrder, slice } from '../../../formats/bytes.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { SolpackError, unreadable } from '../../kernel/events/index.ts';
import { contains, openFile } from '../../kernel/files/index.ts';
import type { CollectedFile } from './kind.ts';

/** Limits that protect against trees made to exhaust the collector. */
const limits = { files: 100_000, depth: 64 } as const;

/** Names of folders that are no part of what they lie in: history, and what was fetched for a definition. */
export const omitted: ReadonlySet<string> = new Set(['.git', '.solpack']);

/** Most bytes of a file that is read in one synchronous call. */
const SMALL = 64 * 1024;

/** A file or folder that a component names, with symbolic links resolved. */
export interface Located {
  readonly path: string;
  readonly stats: Stats;
}

/** How to list a folder. */
export interface ListOptions {
  /** Leaves out a file or folder, by its path relative to the listed folder. */
  readonly skip?: (path: string, isFolder: boolean) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves `path` and its symbolic links. Throws `file-missing`, `file-unreadable`, and `component-invalid` where it is
 * neither a file nor a folder, or where a link leads out of `root`.
 */
export async function locateFile(root: string, path: string): Promise<Located> {
  try {
    const [home, real] = await Promise.all([fs.realpath(root), fs.realpath(path)]);
    if (!contains(home, real)) {
      throw new SolpackError('component-invalid', path, `a symbolic link leads out of ${root}, to ${real}`, {
        hint: 'copy what it points to into that folder',
      });
    }
    const stats = await fs.stat(real);
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new SolpackError('component-invalid', path, 'is neither a file nor a folder', {
        hint: 'sockets, pipes and devices cannot be packed; remove it',
      });
    }
    return { path: real, stats };
  } catch (error) {
    throw await linkError(path, error);
  }
}

async function linkError(path: string, error: unknown): Promise<unknown> {
  const link = await fs.lstat(path).catch(() => undefined);
  if (error instanceof SolpackError || !link?.isSymbolicLink()) return unreadable(path, error);
  return new SolpackError('component-invalid', path, 'a symbolic link points to nothing that can be read', {
    cause: error,
    hint: 'remove it, or create what it points to',
  });
}

/**
 * Lists every file below `folder`, in byte order of their relative paths, without `.git` and `.solpack`. Links are
 * replaced by what they point to, which has to lie in `root`. Throws what `locateFile` throws, and `component-invalid`
 * for loops.
 */
export async function listFiles(root: string, folder: string, options: ListOptions = {}): Promise<CollectedFile[]> {
  const found: CollectedFile[] = [];
  const visit = async (current: string, prefix: string, above: readonly string[]): Promise<void> => {
    options.signal?.throwIfAborted();
    const { path: real } = await locateFile(root, current);
    if (above.includes(real) || above.length > limits.depth) {
      throw new SolpackError('component-invalid', current, 'folders contain themselves, or are nested too deep', {
        hint: 'remove the symbolic link that closes the circle',
      });
    }
    const entries = await fs.readdir(current, { withFileTypes: true }).catch((error) => {
      throw unreadable(current, error);
    });
    for (const entry of entries.filter(({ name }) => !omitted.has(name))) {
      const { name } = entry;
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const full = join(current, name);
      if (options.skip && (await isSkipped(full, path, options.skip))) continue;
      // What is not a link lies in the folder that it was found in.
      const stats = entry.isFile() ? statsOf(full) : (await locateFile(root, full)).stats;
      if (stats.isDirectory()) await visit(full, path, [...above, real]);
      else found.push(fileAt(full, path, stats));
      if (found.length > limits.files) {
        throw new SolpackError('component-invalid', folder, `more than ${limits.files} files`, {
          hint: 'name the folder that holds only the component',
        });
      }
    }
  };
  await visit(folder, '', []);
  return sorted(found);
}

/** Returns the files below the folder `path` of others, as `listFiles` lists those of a disk. */
export function filesBelow(files: readonly CollectedFile[], path: string): CollectedFile[] {
  const prefix = path === '' ? '' : `${path}/`;
  const below = files.filter((file) => file.path.startsWith(prefix));
  const own = below.map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
  return sorted(own.filter((file) => !file.path.split('/').some((name) => omitted.has(name))));
}

/** Synchronous, as for reading small files: there may be thousands. */
function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Decides before links are resolved: what is left out may point anywhere. */
async function isSkipped(full: string, path: string, skip: NonNullable<ListOptions['skip']>): Promise<boolean> {
  const stats = await fs.stat(full).catch(() => undefined);
  return skip(path, stats?.isDirectory() ?? false);
}

/** Returns a file on the disk, as the component has it under `path`. */
export function fileAt(full: string, path: string, stats: Stats): CollectedFile {
  return {
    path,
    mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755,
    size: stats.size,
    origin: full,
    open: () => read(full, stats.size),
  };
}

async function* read(full: string, size: number): Bytes {
  if (size <= SMALL) {
    yield readWhole(full, size);
    return;
  }
  const file = await openFile(full);
  try {
    requireSize(full, size, file.size);
    yield* slice(file, 0, size);
  } finally {
    await file.close();
  }
}

/** Reads a small file synchronously, which is faster than handing it to another thread. */
function readWhole(full: string, size: number): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    requireSize(full, size, fstatSync(file).size);
    const bytes = Buffer.allocUnsafe(size);
    requireSize(full, size, readSync(file, bytes, 0, size, 0));
    return bytes;
  } catch (error) {
    throw unreadable(full, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function requireSize(full: string, expected: number, size: number): void {
  if (size === expected) return;
  const [before, after] = sizePair(expected, size);
  const message = `changed from ${before} to ${after} while it was packed`;
  throw new SolpackError('file-unreadable', full, message, { hint: 'pack again while nothing writes to it' });
}

/** Sorts in byte order of the paths. Throws `component-invalid` where a path occurs twice. */
export function sorted<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const ordered = [...files].sort((a, b) => byteOrder(a.path, b.path));
  const twice = ordered.find((file, at) => file.path === ordered[at + 1]?.path);
  if (twice) throw new SolpackError('component-invalid', twice.path, 'is there twice', { hint: 'rename one of them' });
  return ordered;
}
