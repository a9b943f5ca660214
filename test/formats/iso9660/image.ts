import { createHash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { collect, join as joined, memory, type ReadAt, slice } from '../../../formats/bytes.ts';
import { type ImageOptions, layoutImage } from '../../../formats/iso9660/layout.ts';
import type { FileEntry, Layout } from '../../../formats/segments.ts';
import type { Tree, TreeEntry } from '../../../formats/tree.ts';

/** A file to be written: its content is text, and the key of its content too, so that equal texts are stored once. */
export interface Given {
  readonly path: string;
  readonly content?: string;
  readonly mode?: number;
}

export const options: ImageOptions = {
  volumeId: 'SOLPACK_TEST',
  created: 1_700_000_000,
  modified: { seconds: 1_700_000_001, centiseconds: 42 },
};

export function entriesOf(files: readonly Given[]): FileEntry[] {
  return files.map(({ path, content = '', mode = 0o644 }) => {
    return { path, size: Buffer.byteLength(content), mode, key: content };
  });
}

/** The image of `files`, whole. */
export function imageOf(files: readonly Given[]): Buffer {
  const layout = layoutImage(entriesOf(files), options);
  return Buffer.concat(
    [...layout.segments].map((segment) => (segment.kind === 'meta' ? segment.bytes() : Buffer.from(segment.key))),
  );
}

/** Writes the structures of a layout, and of the content what `content` returns; the rest stays a hole. */
export function writeLayout(path: string, layout: Layout, content: (key: string) => string): void {
  const handle = openSync(path, 'w');
  for (const segment of layout.segments) {
    const bytes = segment.kind === 'meta' ? segment.bytes() : Buffer.from(content(segment.key));
    writeSync(handle, bytes, 0, bytes.length, segment.offset);
  }
  ftruncateSync(handle, layout.size);
  closeSync(handle);
}

/** What a tree or a folder holds: path to type, content and mode, in short. */
export type Snapshot = Record<string, string>;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** What reading `tree` gives. `modes` adds whether files may be executed. */
export async function readSnapshot(source: ReadAt | Buffer, tree: Tree, modes = true): Promise<Snapshot> {
  const found: Snapshot = {};
  for await (const entry of tree.walk()) {
    if (entry.type === 'symlink') found[entry.path] = `-> ${entry.target}`;
    else if (entry.type !== 'file') found[entry.path] = entry.type;
    else {
      const bytes = await contentOf(source, entry);
      found[entry.path] = digest(bytes) + (modes && entry.mode & 0o100 ? ' x' : '');
    }
  }
  return found;
}

export function contentOf(source: ReadAt | Buffer, entry: TreeEntry): Promise<Uint8Array> {
  const from = Buffer.isBuffer(source) ? memory(source) : source;
  return collect(joined(entry.extents.map(({ offset, size }) => slice(from, offset, size))), 64 * 1024 * 1024);
}

/** The same of a folder that a judge wrote. */
export function folderSnapshot(folder: string, modes = true, prefix = ''): Snapshot {
  const found: Snapshot = {};
  for (const name of readdirSync(folder)) {
    const [full, path] = [join(folder, name), prefix + name];
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`;
    else if (stats.isDirectory()) Object.assign(found, { [path]: 'dir' }, folderSnapshot(full, modes, `${path}/`));
    else found[path] = digest(readFileSync(full)) + (modes && stats.mode & 0o100 ? ' x' : '');
  }
  return found;
}

/** The same of files that are to be written; `rename` says which names another tree gives them. */
export function givenSnapshot(files: readonly Given[], modes = true, rename = (path: string) => path): Snapshot {
  const found: Snapshot = {};
  for (const { path, content = '', mode = 0o644 } of files) {
    const names = rename(path).split('/');
    for (let depth = 1; depth < names.length; depth += 1) found[names.slice(0, depth).join('/')] = 'dir';
    found[names.join('/')] = digest(Buffer.from(content)) + (modes && mode & 0o100 ? ' x' : '');
  }
  return found;
}
