import { constants } from 'node:fs';
import { codeOf } from '../../kernel/events/index.ts';
import type { HeldFolder } from '../../kernel/files/index.ts';

/** Most bytes of a file that is read. */
const LIMIT = 1024 * 1024;

/** A small file: what it says, and whether others than its owner may read it. */
export interface SmallFile {
  readonly text: string;
  readonly open: boolean;
}

/** Reads a file without following a link; its text is '' where it is not a regular file. */
export async function readUnlinked(folder: HeldFolder, name: string): Promise<SmallFile> {
  const handle = await folder.open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    // A larger file is somebody else's, whatever it says.
    const text = stats.isFile() && stats.size <= LIMIT ? await handle.readFile('utf8') : '';
    return { text, open: (stats.mode & 0o077) !== 0 };
  } finally {
    await handle.close();
  }
}

/** Ignores errors about a file that is absent, or cannot be there. */
export function unlessNone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw error;
}
