import type { ReadAt } from '../../../formats/bytes.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { archivePaths } from './files.ts';
import { type Archive, entryReader } from './open.ts';

/** Throws `archive-invalid` where the root in `file` is not the one that was read. */
export async function requireUnchanged({ path, tree, catalog }: Archive, file: ReadAt): Promise<void> {
  const root = await tree.lookup(archivePaths.root);
  const now = root && (await entryReader(file, root).read(0, root.size));
  if (!now || !Buffer.from(now).equals(catalog.rootBytes)) throw changedMeanwhile(path);
}

/** Makes the error of an archive that is no longer what was read. */
export function changedMeanwhile(path: string): SolpackError {
  return new SolpackError('archive-invalid', path, 'was changed by another process in the meantime', {
    hint: 'nothing was written; run it again',
  });
}
