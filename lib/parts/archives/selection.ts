import type { ReadAt } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { parseSelection, type Selection, selectionLimits } from '../../../formats/solution/selection.ts';
import type { Tree } from '../../../formats/tree.ts';
import { sparableContents } from './absent-contents.ts';
import type { Catalog } from './catalog.ts';
import { archivePaths } from './files.ts';
import { entryReader } from './open.ts';

/** An archive that lacks contents which other archives have. */
export type DeltaCatalog = Catalog & { readonly selection: Selection };

/**
 * The same catalog, in an archive of which a selection says what it lacks. Throws `FormatError` `selection-invalid`
 * where that may not lack.
 */
export function withSelection(catalog: Catalog, selection: Selection): DeltaCatalog {
  const sparable = new Set(sparableContents(catalog).map(({ digest }) => digest));
  const other = selection.absent.find(({ digest }) => !sparable.has(digest));
  if (!other) return { ...catalog, selection };
  throw new FormatError('selection-invalid', `its selection names ${other.digest}, which is not a layer of its images`);
}

/**
 * Reads the selection of a delta and joins it to its catalog; any other archive's catalog stays as it is. Throws as
 * `withSelection`.
 */
export async function selectedCatalog(
  { tree, file }: { readonly tree: Tree; readonly file: ReadAt },
  catalog: Catalog,
): Promise<Catalog> {
  const entry = await tree.lookup(archivePaths.selection);
  if (entry?.type !== 'file') return catalog;
  if (entry.size > selectionLimits.bytes) {
    throw new FormatError('selection-invalid', `its selection has more than ${sizeWords(selectionLimits.bytes)}`);
  }
  return withSelection(catalog, parseSelection(await entryReader(file, entry).read(0, entry.size)));
}
