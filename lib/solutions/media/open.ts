import { type Archive, openArchive } from '../../archives/index.ts';
import { SolpackError } from '../../errors.ts';
import type { Flow } from '../../flow.ts';
import { isInRegistry } from '../../place.ts';
import { placeName } from './index.ts';
import type { ArchivePlace } from './kind.ts';

/** Opens the archive at a place, wherever it is. Throws as `openArchive`. */
export async function openMedium(place: ArchivePlace, flow: Pick<Flow, 'signal'>): Promise<Archive> {
  if (!isInRegistry(place)) return openArchive(place, flow.signal);
  throw new SolpackError('archive-invalid', placeName(place), 'is in a registry', { hint: 'name a file' });
}
