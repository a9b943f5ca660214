import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { pool, unwritable } from '../../kernel/events/index.ts';
import { inside } from '../../kernel/files/index.ts';
import type { CollectedFile } from './kind.ts';

/** How many small files are written at once: as many as Node.js has threads for that, and some that wait. */
const AT_ONCE = 16;

/**
 * Writes files below `folder`, which lies in a temporary folder, and makes it. It is gone when this run ends, so that
 * nothing is synced. Throws what reading throws, `path-escapes`, `output-unwritable` and `disk-full`.
 */
export async function writeTemporary(
  files: readonly CollectedFile[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const paths = new Map(files.map((file) => [file, inside(folder, file.path)]));
  for (const path of new Set([folder, ...[...paths.values()].map((full) => dirname(full))])) {
    await fs.mkdir(path, { recursive: true }).catch((error) => {
      throw unwritable(path, error);
    });
  }
  await pool(paths, { limit: AT_ONCE, signal }, async ([file, full]) => {
    try {
      await fs.writeFile(full, file.open(), { mode: file.mode, flag: 'wx' });
    } catch (error) {
      throw unwritable(full, error);
    }
  });
}
