import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { verified } from '../../formats/digest.ts';
import { componentFolder } from '../../formats/solution/component-folder.ts';
import { type Archive, damaged } from '../archives/index.ts';
import type { Flow } from '../flow.ts';
import { inside } from '../paths.ts';
import { writeFile } from '../pending-file.ts';
import { unwritable } from '../system-errors.ts';

/**
 * Writes the files of a component of an archive below `folder`, checked against their digests as they are written.
 * Throws `archive-damaged`.
 */
export async function unpack(archive: Archive, component: string, folder: string, flow: Flow): Promise<void> {
  const prefix = componentFolder(archive.catalog.metadata.components.find(({ name }) => name === component)!);
  await fs.mkdir(folder, { recursive: true }).catch((error) => {
    throw unwritable(folder, error);
  });
  for (const { path, descriptor, mode } of archive.catalog.files) {
    if (!path.startsWith(prefix)) continue;
    const full = inside(folder, path.slice(prefix.length));
    try {
      await fs.mkdir(dirname(full), { recursive: true });
      await writeFile(full, verified(archive.source.open(descriptor, { signal: flow.signal }), descriptor), mode);
    } catch (error) {
      throw damaged(archive.path, unwritable(full, error));
    }
  }
}
