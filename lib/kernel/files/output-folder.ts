import { lend, unwritable } from '../events/index.ts';
import { holdFolder } from './held-folder.ts';

/** Makes a folder, with those above it, where it is absent. `path` is absolute. Throws `output-unwritable`. */
export async function makeOutputFolder(path: string): Promise<void> {
  try {
    await lend(await holdFolder(path, true), async () => undefined);
  } catch (error) {
    throw unwritable(path, error);
  }
}
