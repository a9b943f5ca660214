import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, type ReadAt, slice, window } from '../../../formats/bytes.ts';
import { sizePair } from '../../../formats/size-words.ts';
import { openTar } from '../../../formats/tar/read.ts';
import type { Tree, TreeEntry } from '../../../formats/tree.ts';
import type { OpenOptions } from '../../kernel/content/index.ts';
import { type Host, refused, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { type FileRange, openFile, unlessMissing } from '../../kernel/files/index.ts';
import { decompressed } from './spool.ts';

/** An open file of an image source. */
export interface SourceFile extends ReadAt {
  close(): Promise<void>;
}

/** The files of an image source, in a folder or in a tar archive. */
export interface SourceFiles {
  /** Its path, for errors. */
  readonly name: string;
  /** Opens a regular file; undefined where there is none. `path` is never a name that the source chose. */
  open(path: string): Promise<SourceFile | undefined>;
  /** Returns the range of the file on the disk that has these bytes; undefined where there is none. */
  locate(path: string): Promise<FileRange | undefined>;
  close(): Promise<void>;
}

/** An open tar archive that is an image source. */
export interface SourceTar extends SourceFiles {
  /** The file that the bytes lie in: the archive itself, or a decompressed copy. */
  readonly place: string;
  readonly tree: Tree;
  readonly source: ReadAt;
}

/** Returns the files below a folder; each is open only while it is read. */
export function folderFiles(folder: string): SourceFiles {
  return {
    name: folder,
    open: (path) => unlessMissing(openFile(join(folder, path))),
    locate: async (path) => ({ path: join(folder, path), offset: 0, size: undefined }),
    close: async () => undefined,
  };
}

/**
 * Returns the files of a tar archive, read in place. A compressed archive is first decompressed into a temporary file.
 * Throws `file-missing`, `file-unreadable` or `source-invalid`.
 */
export async function tarFiles(path: string, host: Host): Promise<SourceTar> {
  const file = await openFile(path);
  const plain = await closingOnFailure(file, () => decompressed(file, host));
  return plain ? tarIn(plain, path, plain.path) : tarIn(file, path, path);
}

/** Returns the files of an open tar archive. Errors name `path`; the bytes lie in the file `place`. */
export async function tarIn(source: SourceFile, path: string, place: string): Promise<SourceTar> {
  return closingOnFailure(source, async () => {
    const hint = 'name a complete tar archive, either uncompressed or compressed by gzip or zstd';
    const tree = await refused('source-invalid', path, () => openTar(source), hint);
    const open = async (inner: string): Promise<SourceFile | undefined> => {
      const entry = await tree.lookup(inner);
      return entry?.type === 'file' ? entryFile(source, entry) : undefined;
    };
    const locate = async (inner: string): Promise<FileRange | undefined> => {
      const entry = await tree.lookup(inner);
      return entry?.type === 'file' ? entryRange(place, entry) : undefined;
    };
    return { name: path, place, tree, source, open, locate, close: () => source.close() };
  });
}

/** Returns a file of a tar archive, which lies there in one piece. */
export function entryFile(source: ReadAt, entry: TreeEntry): SourceFile {
  const { offset, size } = entry.extents[0] ?? { offset: 0, size: 0 };
  return { ...window(source, offset, size), close: async () => undefined };
}

/** Returns the range that a file occupies in the tar archive `path`. */
export function entryRange(path: string, entry: TreeEntry): FileRange {
  const { offset, size } = entry.extents[0] ?? { offset: 0, size: 0 };
  return { path, offset, size };
}

/** Streams a file. Opens it when the first byte is asked for, and closes it after the last. */
export async function* streamFile(open: () => Promise<SourceFile>, { offset = 0, signal }: OpenOptions = {}): Bytes {
  signal?.throwIfAborted();
  const file = await open();
  try {
    for await (const chunk of slice(file, offset, file.size - offset)) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads a small file wholly; undefined where there is none. Throws `source-invalid` where it has more than `limit`
 * bytes.
 */
export async function readSmall(files: SourceFiles, path: string, limit: number): Promise<Uint8Array | undefined> {
  const file = await files.open(path);
  if (!file) return undefined;
  try {
    if (file.size <= limit) return await file.read(0, file.size);
    const [size, most] = sizePair(file.size, limit);
    throw new SolpackError('source-invalid', files.name, `${path} has ${size}, more than ${most}`, {
      hint: 'is it the right path?',
    });
  } finally {
    await file.close();
  }
}

/** Runs `make` on open files, and closes them where that fails. */
export async function closingOnFailure<T>(files: { close(): Promise<void> }, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Makes sure that `path` is a folder. Throws `file-missing`, `file-unreadable`, or `source-invalid` with `hint`. */
export async function requireFolder(path: string, hint: string): Promise<void> {
  const stats = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (!stats.isDirectory()) throw new SolpackError('source-invalid', path, 'is not a folder', { hint });
}
