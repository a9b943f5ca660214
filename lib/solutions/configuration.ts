import { dirname } from 'node:path';
import { parseConfiguration, type SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { refused } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { readFile } from '../open-file.ts';
import { type ArchivePlace, archivesNamed, type MediaContext, type NamedArchives, placeName } from './media/index.ts';
import { openMedium } from './open-medium.ts';
import type { ConfiguredArchives, OpenedArchive, Unopened } from './opened.ts';

/** Reads the SolutionsConfiguration in the file `path`. Throws `configuration-invalid`. */
export async function readConfiguration(path: string): Promise<SolutionsConfiguration> {
  return configurationOf(path, await readFile(path));
}

/** Reads the SolutionsConfiguration that the bytes of the file `path` are. Throws `configuration-invalid`. */
export function configurationOf(path: string, bytes: Uint8Array): Promise<SolutionsConfiguration> {
  return refused('configuration-invalid', path, () => parseConfiguration(bytes), 'docs/format.md shows both forms');
}

/** Finds the archives that a SolutionsConfiguration names, entry by entry. Throws `configuration-invalid` and as `archivesNamed`. */
export async function configuredArchives(path: string, media?: MediaContext): Promise<readonly NamedArchives[]> {
  const { groups } = await readConfiguration(path);
  const context = { ...media, base: dirname(path) };
  return Promise.all(groups.flatMap(({ archives }) => archives).map((entry) => archivesNamed(entry, context)));
}

/**
 * Opens the archives that the SolutionsConfiguration in the file `path` names. What cannot be opened is left to whoever
 * decides whether it is needed. Throws `usage-invalid` for an entry that is nothing that can be named, and where `flow` has ended.
 */
export async function openAll(
  path: string,
  { groups }: SolutionsConfiguration,
  flow: Flow,
  media?: MediaContext,
): Promise<ConfiguredArchives> {
  const opened: OpenedArchive[] = [];
  const unopened: Unopened[] = [];
  try {
    for (const { name: group, archives } of groups) {
      for (const [name, place] of await placesOf(archives, { ...media, base: dirname(path) }, flow)) {
        flow.onEvent({ type: 'step', step: 'open', subject: name });
        try {
          const archive = await openMedium(place, flow);
          const { metadata } = archive.catalog;
          opened.push({ archive, path: name, name: metadata.name, version: metadata.version, group });
        } catch (error) {
          if (flow.signal.aborted) throw error;
          unopened.push({ path: name, group, error });
        }
      }
    }
    return { opened, unopened };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Finds the archives of a group, each once. */
async function placesOf(
  entries: readonly string[],
  context: MediaContext,
  { onEvent }: Flow,
): Promise<ReadonlyMap<string, ArchivePlace>> {
  const all = new Map<string, ArchivePlace>();
  for (const entry of entries) {
    const { places } = await archivesNamed(entry, context);
    if (places.length === 0) onEvent({ type: 'notice', subject: entry, message: 'stands for no archive' });
    for (const place of places) all.set(placeName(place), place);
  }
  return all;
}

/** Closes archives. */
export async function closeAll(opened: readonly OpenedArchive[]): Promise<void> {
  await Promise.all(opened.map(({ archive }) => archive[Symbol.asyncDispose]()));
}
