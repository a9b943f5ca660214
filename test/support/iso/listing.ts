import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
import type { Namespace } from '../../../formats/iso9660/read-names.ts';
import { openFile } from '../../../lib/kernel/files/open-file.ts';
import { contentOf, type Given } from '../../formats/iso9660/image.ts';

/** What a reader finds at a path. */
export interface Item {
  readonly type: 'file' | 'dir';
  /** Permission bits; undefined where the reader knows none. */
  readonly mode?: number | undefined;
  /** Bytes of a file. */
  readonly size: number;
  /** Of a file's content, in hexadecimal. */
  readonly sha256: string;
}

/** All that a reader finds: path to a line of words, which a test that fails shows well. */
export type Listing = Record<string, string>;

/** One line of a listing. */
export function lineOf({ type, mode, size, sha256 }: Item): string {
  const words = type === 'dir' ? [type] : [type, size, sha256.slice(0, 16)];
  return (mode === undefined ? words : [...words, mode.toString(8).padStart(3, '0')]).join(' ');
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What every reader has to find of files that were written, modes where `modes` says so. */
export function givenListing(files: readonly Given[], modes: boolean): Listing {
  const found: Listing = {};
  const line = (item: Item): string => lineOf(modes ? item : { ...item, mode: undefined });
  for (const { path, content = '', mode = 0o644 } of files) {
    const names = path.split('/');
    for (let depth = 1; depth < names.length; depth += 1) {
      found[names.slice(0, depth).join('/')] = line({ type: 'dir', mode: 0o755, size: 0, sha256: '' });
    }
    found[path] = line({ type: 'file', mode, size: Buffer.byteLength(content), sha256: sha256Of(content) });
  }
  return found;
}

/** What solpack's own reader finds in one of the trees of an image; without modes where the tree has none. */
export async function ownListing(image: string, namespace: Namespace): Promise<Listing> {
  await using file = await openFile(image);
  const found: Listing = {};
  for await (const entry of (await openIsoImage(file, { namespace })).walk()) {
    const mode = namespace === 'rock-ridge' ? entry.mode : undefined;
    if (entry.type !== 'file') found[entry.path] = lineOf({ type: 'dir', mode, size: 0, sha256: '' });
    else {
      const bytes = await contentOf(file, entry);
      if (bytes.length !== entry.size) throw new Error(`${entry.path} has ${bytes.length} bytes, not ${entry.size}`);
      found[entry.path] = lineOf({ type: 'file', mode, size: entry.size, sha256: sha256Of(bytes) });
    }
  }
  return found;
}

/** What is in a folder that a reader filled, or that an image is mounted at. */
export function folderListing(folder: string, modes: boolean, prefix = ''): Listing {
  const found: Listing = {};
  for (const name of readdirSync(folder)) {
    const [full, path] = [join(folder, name), prefix + name];
    const stats = lstatSync(full);
    const mode = modes ? stats.mode & 0o7777 : undefined;
    if (stats.isDirectory()) {
      found[path] = lineOf({ type: 'dir', mode, size: 0, sha256: '' });
      Object.assign(found, folderListing(full, modes, `${path}/`));
    } else if (stats.isFile()) {
      found[path] = lineOf({ type: 'file', mode, size: stats.size, sha256: sha256Of(readFileSync(full)) });
    } else found[path] = `neither file nor folder: ${stats.mode.toString(8)}`;
  }
  return found;
}
