import { mkdirSync } from 'node:fs';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
import { extract, list } from '../../../lib/flows/browse/index.ts';
import { openFile } from '../../../lib/kernel/files/open-file.ts';
import { folderSnapshot, type Snapshot } from '../../formats/iso9660/image.ts';
import { testFlow } from '../flow.ts';
import { ok, run } from '../judges.ts';

/** What `ls --digests` finds in an image, in the words of `folderSnapshot`, without modes. */
export async function ownView(image: string): Promise<Snapshot> {
  const found: Snapshot = {};
  for await (const entry of list({ archive: image, path: '', digests: true }, testFlow())) {
    if (entry.type === 'symlink') found[entry.path] = `-> ${entry.target}`;
    else found[entry.path] = entry.sha256?.slice(0, 16) ?? entry.type;
  }
  return found;
}

/** The tree that is read of an image where none is asked for. */
export async function namespaceOf(image: string): Promise<string> {
  await using file = await openFile(image);
  return (await openIsoImage(file)).namespace;
}

/** What `extract` writes; links that lead out of a folder are refused, so `paths` names what has none. */
export async function ownExtract(image: string, paths: readonly string[], folder: string): Promise<Snapshot> {
  await extract({ archive: image, paths, folder }, testFlow());
  return folderSnapshot(folder, false);
}

/** How each judge reads an image: it fills a folder. */
export const judgesOfForeign = {
  bsdtar: async (image: string, folder: string): Promise<Snapshot> => {
    mkdirSync(folder);
    await run('bsdtar', ['-xf', image, '-C', folder]);
    return folderSnapshot(folder, false);
  },
  xorriso: async (image: string, folder: string): Promise<Snapshot> => {
    mkdirSync(folder);
    await run('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', folder]);
    await ok('chmod', ['-R', 'u+rwX', folder]);
    return folderSnapshot(folder, false);
  },
} as const;

/** Digests and kinds in an image or folder, whatever their names. */
export function contents(snapshot: Snapshot): string[] {
  return Object.values(snapshot).sort();
}
