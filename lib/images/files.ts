import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, type ReadAt, slice, window } from '../../formats/bytes.ts';
import { openTar } from '../../formats/tar/read.ts';
import type { Tree, TreeEntry } from '../../formats/tree.ts';
import { refused, SolpackError } from '../errors.ts';
import type { Host } from '../host.ts';
import type { FileRange } from '../model.ts';
import { openFile } from '../open-file.ts';
import { unreadable } from '../system-errors.ts';
import { decompressed } from './spool.ts';

/** A file that was opened in a source. */
export interface SourceFile extends ReadAt {
  close(): Promise<void>;
}

/** The files of an image source, in a folder or in a tar archive. */
export interface SourceFiles {
  /** How errors name it: its path. */
  readonly name: string;
  /** Opens a regular file; undefined where there is none. `path` is never a name that the source chose. */
  open(path: string): Promise<SourceFile | undefined>;
  /** Where the bytes of a file lie, if there is one. */
  locate(path: string): Promise<FileRange | undefined>;
  close(): Promise<void>;
}

/** A tar archive that was opened as an image source. */
export interface SourceTar extends SourceFiles {
  /** The file that the bytes lie in: the archive itself, unless it is compressed. */
  readonly place: string;
  readonly tree: Tree;
  readonly source: ReadAt;
}

/** The files below a folder; each is open only while it is read. */
export function folderFiles(folder: string): SourceFiles {
  return {
    name: folder,
    open: async (path) => {
      try {
        return await openFile(join(folder, path));
      } catch (error) {
        if (error instanceof SolpackError && error.code === 'file-missing') return undefined;
        throw error;
      }
    },
    locate: async (path) => ({ path: join(folder, path), offset: 0, size: undefined }),
    close: async () => undefined,
  };
}

/**
 * The files of a tar archive, read where they lie; one that is compressed is decompressed into a temporary file first.
 * Throws `file-missing`, `file-unreadable` or `source-invalid`.
 */
export async function tarFiles(path: string, host: Host): Promise<SourceTar> {
  const file = await openFile(path);
  const plain = await closingOnFailure(file, () => decompressed(file, host));
  return plain ? tarIn(plain, path, plain.path) : tarIn(file, path, path);
}

/** The files of a tar archive that is open; errors name `path`, and `place` is where its bytes lie. */
export async function tarIn(source: SourceFile, path: string, place: string): Promise<SourceTar> {
  return closingOnFailure(source, async () => {
    const hint = 'name a tar archive that is whole, and compressed by gzip or zstd, if at all';
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

/** A file of a tar archive, which lies in one piece. */
export function entryFile(source: ReadAt, entry: TreeEntry): SourceFile {
  const { offset, size } = entry.extents[0] ?? { offset: 0, size: 0 };
  return { ...window(source, offset, size), close: async () => undefined };
}

/** Where a file of the tar archive `path` lies. */
export function entryRange(path: string, entry: TreeEntry): FileRange {
  const { offset, size } = entry.extents[0] ?? { offset: 0, size: 0 };
  return { path, offset, size };
}

/** Streams a file that is opened when the first byte is asked for, and closed after the last. */
export async function* streamFile(open: () => Promise<SourceFile>, signal: AbortSignal | undefined): Bytes {
  signal?.throwIfAborted();
  const file = await open();
  try {
    for await (const chunk of slice(file, 0, file.size)) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

/** Reads a small file whole; undefined where there is none. Throws `source-invalid` where it is over `limit` bytes. */
export async function readSmall(files: SourceFiles, path: string, limit: number): Promise<Uint8Array | undefined> {
  const file = await files.open(path);
  if (!file) return undefined;
  try {
    if (file.size <= limit) return await file.read(0, file.size);
    throw new SolpackError('source-invalid', files.name, `${path} has ${file.size} bytes, more than ${limit}`, {
      hint: 'is it the right path?',
    });
  } finally {
    await file.close();
  }
}

/** Makes something of files that were opened; closes them where that fails. */
export async function closingOnFailure<T>(files: { close(): Promise<void> }, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Throws `file-missing`, `file-unreadable`, or `source-invalid` with `hint` where `path` is no folder. */
export async function requireFolder(path: string, hint: string): Promise<void> {
  const stats = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (!stats.isDirectory()) throw new SolpackError('source-invalid', path, 'is not a folder', { hint });
}
