import type { ReadAt } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { parseSelection, type Selection, selectionLimits } from '../../../formats/solution/selection.ts';
import type { Tree } from '../../../formats/tree.ts';
import { absentDigests, recipeContents, sparableContents } from './absent-contents.ts';
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
  const absent = absentDigests({ selection });
  const other = [...absent].find((digest) => !sparable.has(digest));
  if (other === undefined) {
    requireOwn(catalog, selection);
    return { ...catalog, selection };
  }
  throw new FormatError('selection-invalid', `its selection names ${other}, which is not a layer of its images`);
}

/** Requires that encoders and patches are not contents of the release as well: a file would be there twice. */
function requireOwn({ contents, root }: Catalog, selection: Selection): void {
  const reached = new Set([root, ...contents].map(({ digest }) => digest));
  const twice = recipeContents({ selection }).find(({ digest }) => reached.has(digest));
  if (!twice) return;
  throw new FormatError('selection-invalid', `its selection names ${twice.digest}, which is a content of the release`);
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
