import { FormatError } from '../../../formats/error.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { completedBy } from './complete.ts';
import { cutEnd, cutOffError, isCutOffError } from './cut-end.ts';
import { archivePaths } from './files.ts';
import { type Archive, carrierSource, damaged, type OpenedFiles, orDamaged, readEntry, readSlots } from './open.ts';
import { readCatalog } from './read-catalog.ts';
import { selectedCatalog } from './selection.ts';

/**
 * Reads the root, manifests and metadata of the Solution in `opened`; no payload. Throws `archive-invalid`,
 * `archive-damaged`, and closes it then.
 */
export async function openSolution<T extends OpenedFiles>(opened: T, signal?: AbortSignal): Promise<T & Archive> {
  const { path } = opened.file;
  try {
    const rootBytes = await readRoot(path, opened);
    const source = carrierSource(path, opened);
    const catalog = await selectedCatalog(opened, await readCatalog(rootBytes, source, signal));
    const cut = cutEnd(opened, catalog);
    if (cut !== undefined) throw cutOffError(path, cut);
    const archive = {
      ...opened,
      path,
      catalog,
      source,
      content: source.content,
      slots: () => readSlots(path, opened, catalog),
    };
    return completedBy(archive, []);
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    const isDamage =
      error instanceof FormatError || (error instanceof SolpackError && error.code === 'archive-damaged');
    const cut = isDamage ? cutEnd(opened) : undefined;
    throw cut === undefined || isCutOffError(error) ? damaged(path, error) : cutOffError(path, cut);
  }
}

/**
 * Reads the bytes of the root that a carrier holds, unchecked. Throws `archive-damaged`, `archive-invalid` where it
 * holds none.
 */
export async function readRoot(path: string, opened: OpenedFiles): Promise<Uint8Array> {
  const bytes = await orDamaged(path, readEntry(opened, archivePaths.root));
  if (bytes) return bytes;
  const cut = cutEnd(opened);
  if (cut !== undefined) throw cutOffError(path, cut);
  throw new SolpackError('archive-invalid', path, `has no ${archivePaths.root}: it does not hold a Solution`, {
    hint: `it is another kind of ${opened.carrier?.title ?? 'folder'}; "solpack ls" shows what is inside`,
  });
}
