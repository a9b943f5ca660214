import { type Archive, type OpenedFiles, openAny, openArchive } from '../archives/index.ts';
import type { Flow } from '../flow.ts';
import { isInRegistry } from '../place.ts';
import type { ArchivePlace } from './media/kind.ts';

/** Opens the archive at a place, wherever it is. Throws as `openArchive`, and what registries answer. */
export async function openMedium(place: ArchivePlace, flow: Pick<Flow, 'signal' | 'onEvent'>): Promise<Archive> {
  if (!isInRegistry(place)) return openArchive(place, flow.signal);
  const { openInRegistry } = await import('./archive-in-registry.ts');
  return openInRegistry(place, flow);
}

/** Opens the files at a place, whatever they hold; in a registry, those of the archive that its Solution would be. Throws as `openAny`, and what registries answer. */
export function openFilesAt(place: ArchivePlace, flow: Pick<Flow, 'signal' | 'onEvent'>): Promise<OpenedFiles> {
  return isInRegistry(place) ? openMedium(place, flow) : openAny(place, flow.signal);
}
