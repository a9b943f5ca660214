import { totalSize } from '../../../formats/oci/descriptor.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { baseWords, lackedBy } from '../../parts/archives/index.ts';
import type { ConfiguredArchive, FoundArchive } from './look.ts';

/** Reports each delta among `imported` what it lacks that none of `found` has. */
export function lackingNotices(
  imported: readonly FoundArchive[],
  found: readonly FoundArchive[],
): { subject: string; message: string }[] {
  return imported.flatMap((one) => {
    const lacking = lackedBy(one, found);
    if (lacking.length === 0) return [];
    const bases = baseWords(one.catalog.selection?.bases ?? []);
    const message = `is a delta, and lacks ${lacking.length} contents (${sizeWords(totalSize(lacking))}) that no other archive of the configuration has: import ${bases} too`;
    return [{ subject: one.path, message }];
  });
}

/**
 * Throws `version-active` where an active delta reads out of an archive that is to go what no other one has that is
 * left.
 */
export function requireNotRead(
  path: string,
  archive: ConfiguredArchive,
  left: readonly ConfiguredArchive[],
  isActive: (delta: ConfiguredArchive) => boolean,
): void {
  for (const delta of left) {
    if (!delta.catalog.selection) continue;
    const lost = lackedBy(delta, left);
    if (lost.length === 0 || lost.length === lackedBy(delta, [...left, archive]).length) continue;
    if (!isActive(delta)) continue;
    const message = `has ${lost.length} contents (${sizeWords(totalSize(lost))}) that the delta ${delta.name} ${delta.version} lacks, which is active`;
    throw new SolpackError('version-active', archive.path, message, {
      hint: `"solpack merge" makes a whole archive of both, to import in place of ${delta.entry}; or "solpack deactivate ${delta.name} -f ${shellWord(path)}" first`,
    });
  }
}
