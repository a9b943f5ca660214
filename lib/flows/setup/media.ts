import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchivePlace, archivesNamed } from '../../shared/solutions/media/index.ts';
import { mountedFolders } from '../mount/index.ts';

/** Where people and desktops mount sticks and discs. */
const MOUNTS = ['media', 'mnt', 'run/media'];

/**
 * Lists the places where archives may be: those in `folder`, on media that are mounted, and media that are archives
 * themselves. They take turns, so that the person who looks at the first ones has seen something of each.
 */
export async function placesNear(folder: string, root: string): Promise<readonly ArchivePlace[]> {
  const below = MOUNTS.map((name) => `${join(root, name)}/`);
  const mounted = await mountedFolders().catch(() => []);
  const media = mounted.map((one) => one.folder).filter((path) => below.some((start) => path.startsWith(start)));
  const found: (readonly ArchivePlace[])[] = [];
  for (const entry of [folder, ...new Set(media), ...(await devices(root))]) {
    const { places } = await archivesNamed(entry, { base: '/' }).catch(() => ({ places: [] }));
    found.push(places);
  }
  const longest = Math.max(...found.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => found.flatMap((places) => places[at] ?? [])).flat();
}

/** Lists block devices that are no disk of the machine: what can be taken out, and files that are used as one. */
async function devices(root: string): Promise<string[]> {
  const list = join(root, 'sys/block');
  const names = await fs.readdir(list).catch(() => []);
  const found: string[] = [];
  for (const name of names.sort()) {
    const isFile = await fs.stat(join(list, name, 'loop/backing_file')).then(
      () => true,
      () => false,
    );
    const removable = await fs.readFile(join(list, name, 'removable'), 'utf8').catch(() => '0');
    const size = await fs.readFile(join(list, name, 'size'), 'utf8').catch(() => '0');
    if ((isFile || removable.trim() === '1') && size.trim() !== '0') found.push(join(root, 'dev', name));
  }
  return found;
}
