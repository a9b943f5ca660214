import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { byteOrder } from '../../../../formats/bytes.ts';
import { unreadable } from '../../../kernel/events/index.ts';
import { isFolder } from '../../../kernel/machine/index.ts';
import { carriers, holdsArchive } from '../../../parts/archives/index.ts';
import type { MediumKind } from './kind.ts';

/** A folder where an archive is mounted or extracted, or one with archives in it. */
export const folder: MediumKind = {
  find: async (entry, { base, origin }) => {
    const path = resolve(base, entry);
    return origin.reach(path, async (reached) => {
      if (reached === undefined || !(await isFolder(reached))) return undefined;
      if (await holdsArchive(reached)) return { places: [origin.placeOf(path)], several: false };
      const names = await fs.readdir(reached).catch((error) => {
        throw unreadable(path, error);
      });
      const archives = names.filter(isArchiveName).sort(byteOrder);
      return { places: archives.map((name) => origin.placeOf(join(path, name))), several: true };
    });
  },
};

/** Returns whether a file in a folder of archives is one of them, by its name. */
function isArchiveName(name: string): boolean {
  if (name.startsWith('.')) return false;
  return Object.values(carriers).some(({ extension }) => name.toLowerCase().endsWith(extension));
}
