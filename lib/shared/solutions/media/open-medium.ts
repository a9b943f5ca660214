import { isInRegistry, type Place } from '../../../kernel/content/index.ts';
import { type Flow, reportIfSlow } from '../../../kernel/events/index.ts';
import { type Archive, archivePaths, type OpenedFiles, openAny, openSolution } from '../../../parts/archives/index.ts';
import type { ArchivePlace } from './kind.ts';
import { placeName } from './place-name.ts';

/** What opening takes of a flow. */
type OpeningFlow = Pick<Flow, 'signal' | 'onEvent'>;

/**
 * Opens the archive at a place, wherever it is, and whatever it was made for. Throws as `openArchive`, and what
 * registries answer.
 */
export async function openMedium(place: ArchivePlace, flow: OpeningFlow): Promise<Archive> {
  if (!isInRegistry(place)) return openLocal(place, flow);
  const { openInRegistry } = await import('../registries/archive-in-registry.ts');
  return openInRegistry(place, flow);
}

/**
 * Opens the archive in a file, a folder or at an address: one that was packed, or what a medium for MetalK8s would be
 * as one.
 */
export async function openLocal(place: Place, flow: OpeningFlow): Promise<Archive> {
  const { signal } = flow;
  return opening(place, flow, async () => solutionIn(await openAny(place, signal), signal));
}

/** Opens something, and reports that if it takes long. */
function opening<T>(place: ArchivePlace, flow: OpeningFlow, open: () => Promise<T>): Promise<T> {
  return reportIfSlow(flow, { step: 'open', subject: placeName(place) }, open);
}

/** The same of files that are open. They are closed where that fails. */
export async function solutionIn(opened: OpenedFiles, signal: AbortSignal): Promise<Archive> {
  if (!(await isForeign(opened))) return openSolution(opened, signal);
  const { openMetalk8s } = await import('../metalk8s/open.ts');
  return openMetalk8s(opened, signal);
}

/**
 * Returns whether files are those of a medium for MetalK8s that solpack did not pack. Where they cannot be read,
 * whoever opens them tells.
 */
export async function isForeign(opened: OpenedFiles): Promise<boolean> {
  try {
    if ((await opened.tree.lookup(archivePaths.root)) !== undefined) return false;
    const { isMetalk8sMedium } = await import('../metalk8s/medium.ts');
    return await isMetalk8sMedium(opened);
  } catch {
    return false;
  }
}

/**
 * Opens the files at a place, whatever they hold; in a registry, those of the archive that its Solution would be.
 * Throws as `openAny`, and what registries answer.
 */
export function openFilesAt(place: ArchivePlace, flow: OpeningFlow): Promise<OpenedFiles> {
  return isInRegistry(place) ? openMedium(place, flow) : opening(place, flow, () => openAny(place, flow.signal));
}

/** Archives that are open together. */
export interface OpenedTogether extends AsyncDisposable {
  readonly archives: readonly Archive[];
}

/** Opens archives that may have what a delta lacks; all are closed together. Throws as `openMedium`. */
export async function openTogether(places: readonly ArchivePlace[], flow: OpeningFlow): Promise<OpenedTogether> {
  const archives: Archive[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(archives.map((archive) => archive[Symbol.asyncDispose]()));
  };
  try {
    for (const place of places) archives.push(await openMedium(place, flow));
    return { archives, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
