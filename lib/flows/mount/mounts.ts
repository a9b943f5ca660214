import * as fs from 'node:fs/promises';
import { unreadable } from '../../kernel/events/index.ts';

/** Where Linux lists what is mounted for this process (proc(5)). */
const LIST = '/proc/self/mountinfo';

/** What is mounted at a folder. */
export interface MountedFolder {
  readonly folder: string;
  /** The type of the file system, such as `iso9660` or `fuse.fuseiso`. */
  readonly type: string;
  /** What is mounted, as its file system names it. */
  readonly source: string;
}

/**
 * Finds what is mounted at `folder`, last; undefined where nothing is. Throws `file-unreadable` where nobody can tell.
 */
export async function mountAt(folder: string): Promise<MountedFolder | undefined> {
  const real = await fs.realpath(folder).catch(() => folder);
  return (await mountedFolders()).findLast((one) => one.folder === real);
}

/** Lists what is mounted, in its order. Throws `file-unreadable` where nobody can tell. */
export async function mountedFolders(): Promise<MountedFolder[]> {
  const text = await fs.readFile(LIST, 'utf8').catch((error) => {
    throw unreadable(LIST, error);
  });
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const [type, source] = right.split(' ');
    const folder = unescaped(left.split(' ')[4] ?? '');
    return type && source ? [{ folder, type, source: unescaped(source) }] : [];
  });
}

/** Spaces and the like are octal numbers there. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
