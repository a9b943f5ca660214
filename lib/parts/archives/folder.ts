import { constants, type Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { byteOrder, requireRange } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizePair } from '../../../formats/size-words.ts';
import type { Extent, Tree, TreeEntry } from '../../../formats/tree.ts';
import { codeOf, lend, unreadable } from '../../kernel/events/index.ts';
import { type OpenFile, openFile } from '../../kernel/files/index.ts';
import type { OpenedFiles } from './open.ts';

/**
 * Opens the files below the folder `root`, as where an archive was mounted or extracted. Their bytes have places one
 * after the other, in the order in which their entries were asked for. Symbolic links are not followed. Messages name
 * the folder `path`; `release` is called when it is closed. Throws `file-missing`, `file-unreadable`.
 */
export function openFolder(root: string, path: string = root, release = async (): Promise<void> => {}): OpenedFiles {
  const places = new Places(root, path);
  const tree: Tree = {
    lookup: async (path) => (await isReal(root, path)) && (await entryAt(places, root, path)),
    walk: (path = '', atLeast = 0) => walk(places, root, path, atLeast),
  };
  return { tree, file: places, [Symbol.asyncDispose]: release };
}

/** Returns whether no folder that `path` leads through is a symbolic link. */
async function isReal(root: string, path: string): Promise<true | undefined> {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
    const stats = await fs.lstat(join(root, path.slice(0, end))).catch(() => undefined);
    if (!stats?.isDirectory()) return undefined;
  }
  return true;
}

async function* walk(places: Places, root: string, path: string, atLeast: number): AsyncGenerator<TreeEntry> {
  for (const name of await namesIn(join(root, path))) {
    const below = path === '' ? name : `${path}/${name}`;
    const entry = await entryAt(places, root, below);
    // What is no UTF-8 cannot be found again by its name, and belongs to no archive.
    if (entry?.type === 'dir' || (entry?.size ?? 0) >= atLeast) {
      yield entry ?? { path: below, type: 'other', size: 0, mode: 0, extents: [] };
    }
    if (entry?.type === 'dir') yield* walk(places, root, below, atLeast);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const entries: Dirent[] = await fs.readdir(folder, { withFileTypes: true }).catch((error) => {
    throw unreadable(folder, error);
  });
  return entries.map(({ name }) => name).sort(byteOrder);
}

async function entryAt(places: Places, root: string, path: string): Promise<TreeEntry | undefined> {
  try {
    const stats = await fs.lstat(join(root, path));
    const common = { path, size: 0, mode: stats.mode & 0o777, extents: [] };
    if (stats.isDirectory()) return { ...common, type: 'dir' };
    if (stats.isSymbolicLink()) return { ...common, type: 'symlink', target: await fs.readlink(join(root, path)) };
    if (!stats.isFile()) return { ...common, type: 'other' };
    return { ...common, type: 'file', size: stats.size, extents: places.extents(path, stats.size) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unreadable(join(root, path), error);
  }
}

/** Where the bytes of files lie if they are put one after the other. */
class Places implements OpenFile {
  readonly path: string;
  readonly #root: string;
  /** Bytes of the files that were asked for. */
  size = 0;
  readonly #files: { readonly path: string; readonly extent: Extent }[] = [];
  readonly #known = new Map<string, Extent>();

  constructor(root: string, path: string) {
    this.#root = root;
    this.path = path;
  }

  /** The place of the file at `path`; what has another size than before gets another one. */
  extents(path: string, size: number): Extent[] {
    if (size === 0) return [];
    const known = this.#known.get(path);
    if (known?.size === size) return [known];
    const extent = { offset: this.size, size };
    this.#files.push({ path, extent });
    this.#known.set(path, extent);
    this.size += size;
    return [extent];
  }

  async read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    requireRange(this.size, offset, length);
    const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const { path, extent } = this.#fileAt(offset + done);
      const from = offset + done - extent.offset;
      const part = bytes.subarray(done, done + extent.size - from);
      await lend(await openFile(join(this.path, path), constants.O_NOFOLLOW ?? 0, join(this.#root, path)), (file) => {
        if (file.size === extent.size) return file.read(from, part.length, part);
        const [before, now] = sizePair(extent.size, file.size);
        throw new FormatError('size-mismatch', `${path} had ${before}, and has ${now} now`);
      });
      done += part.length;
    }
    return bytes;
  }

  async close(): Promise<void> {
    // Files are open only while they are read.
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #fileAt(offset: number): { readonly path: string; readonly extent: Extent } {
    let [from, to] = [0, this.#files.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (this.#files[middle]!.extent.offset <= offset) from = middle;
      else to = middle;
    }
    return this.#files[from]!;
  }
}
