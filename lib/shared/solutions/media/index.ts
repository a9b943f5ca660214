import { SolpackError } from '../../../kernel/events/index.ts';
import { machineOrigin } from '../origin/index.ts';
import { serverAddress } from './address.ts';
import { file } from './file.ts';
import { folder } from './folder.ts';
import { glob } from './glob.ts';
import type { ArchivePlace, MediaContext, MediumKind, NamedArchives } from './kind.ts';
import { placeName } from './place-name.ts';
import { reference } from './reference.ts';

export type { ArchivePlace, MediaContext, NamedArchives } from './kind.ts';
export {
  /** Returns whether files are those of a medium for MetalK8s that solpack did not pack. */
  isForeign,
  /** Opens the files at a place, whatever they hold. */
  openFilesAt,
  /** Opens the archive in a file, a folder or at an address. */
  openLocal,
  /** Opens the archive at a place, wherever it is, and whatever it was made for. */
  openMedium,
  /** Opens archives that may have what a delta lacks; all are closed together. */
  openTogether,
  /** The same of files that are open. */
  solutionIn,
} from './open-medium.ts';
export { placeName } from './place-name.ts';
export {
  /** Returns the reference that an entry is. */
  referenceNamed,
} from './reference.ts';

/** Every kind of medium, each before those that would take its entries for theirs. */
const kinds: readonly MediumKind[] = [serverAddress, reference, glob, folder, file];

/** How many archives an error lists. */
const SHOWN = 10;

/**
 * Finds the archives that an entry of `archives`, or an argument, names: a file, a device, a pattern, a folder of
 * archives, a folder that is one, an address or a reference. Nothing is opened. Throws `usage-invalid`,
 * `file-unreadable`, `configuration-bounds`.
 */
export async function archivesNamed(entry: string, context: MediaContext): Promise<NamedArchives> {
  const { origin = machineOrigin() } = context;
  if (entry === '') {
    throw new SolpackError('usage-invalid', 'the name of an archive', 'is empty', {
      hint: 'name a file, a folder, a device or an address; . is this folder',
    });
  }
  for (const kind of kinds) {
    const found = await kind.find(entry, { ...context, origin });
    if (found) return found;
  }
  return { places: [], several: true };
}

/**
 * Like `archivesNamed`, for exactly one archive. Throws `usage-invalid` with the list if there are several,
 * `file-missing`.
 */
export async function archiveNamed(entry: string, context: MediaContext): Promise<ArchivePlace> {
  const [found, ...more] = (await archivesNamed(entry, context)).places;
  if (found === undefined) {
    throw new SolpackError('file-missing', entry, 'holds no archive', {
      hint: 'name a file that ends in .iso or .tar',
    });
  }
  if (more.length === 0) return found;
  const names = [found, ...more].map(placeName);
  const left = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  const message = `matches ${names.length} archives: ${names.slice(0, SHOWN).join(', ')}${left}`;
  throw new SolpackError('usage-invalid', entry, message, { hint: 'name one of them' });
}
