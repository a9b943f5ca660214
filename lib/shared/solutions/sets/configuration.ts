import { dirname } from 'node:path';
import { parseConfiguration, type SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { isInRegistry } from '../../../kernel/content/index.ts';
import { type Flow, refused } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import {
  type ArchivePlace,
  archivesNamed,
  type MediaContext,
  type NamedArchives,
  openMedium,
  placeName,
} from '../media/index.ts';
import { completeTogether } from './complete-together.ts';
import type { FoundArchives, FoundEntry, OpenedArchive, Unopened } from './opened.ts';

/** Reads the SolutionsConfiguration in the file `path`. Throws `configuration-invalid`. */
export async function readConfiguration(path: string): Promise<SolutionsConfiguration> {
  return configurationOf(path, await readFile(path));
}

/** Reads the SolutionsConfiguration that the bytes of the file `path` are. Throws `configuration-invalid`. */
export function configurationOf(path: string, bytes: Uint8Array): Promise<SolutionsConfiguration> {
  return refused(
    'configuration-invalid',
    path,
    () => parseConfiguration(bytes),
    '"solpack docs format" shows both forms',
  );
}

/**
 * Finds the archives that the SolutionsConfiguration in the file `path` names, entry by entry. Throws as
 * `archivesNamed`.
 */
export async function configuredArchives(
  path: string,
  { groups }: Pick<SolutionsConfiguration, 'groups'>,
  media?: MediaContext,
): Promise<readonly NamedArchives[]> {
  const context = { ...media, base: dirname(path) };
  return Promise.all(groups.flatMap(({ archives }) => archives).map((entry) => archivesNamed(entry, context)));
}

/**
 * Lists where archives are that are no files: addresses without their last part, and repositories without their tag.
 * Throws `configuration-invalid` and as `configuredArchives`.
 */
export async function configuredServers(
  path: string,
): Promise<{ readonly addresses: readonly string[]; readonly registries: readonly string[] }> {
  const connect: MediaContext['connect'] = (reference) => ({
    reference,
    connect: async () => {
      throw new Error('no server is asked here');
    },
  });
  const named = await configuredArchives(path, await readConfiguration(path), { base: dirname(path), connect });
  const places = named.flatMap((one) => one.places);
  const urls = places.flatMap((place) => (typeof place === 'object' && 'url' in place ? [place.url] : []));
  const references = places.filter(isInRegistry).map(({ reference }) => reference);
  return {
    addresses: [...new Set(urls.map(({ origin, pathname }) => new URL('.', `${origin}${pathname}`).href))],
    registries: [...new Set(references.map(({ registry, repository }) => `${registry}/${repository}`))],
  };
}

/**
 * Opens the archives that the SolutionsConfiguration in the file `path` names. What cannot be opened is left to whoever
 * decides whether it is needed. Throws `usage-invalid` for an entry that is nothing that can be named, and where `flow`
 * has ended.
 */
export async function openAll(
  path: string,
  { groups }: SolutionsConfiguration,
  flow: Flow,
  media?: MediaContext,
): Promise<FoundArchives> {
  const opened: OpenedArchive[] = [];
  const unopened: Unopened[] = [];
  const entries: FoundEntry[] = [];
  try {
    for (const { name: group, archives } of groups) {
      const named = await placesOf(archives, { ...media, base: dirname(path) }, flow);
      entries.push(...named.entries.map((one) => ({ ...one, group })));
      for (const [name, place] of named.places) {
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
    return { ...(await completeTogether({ opened, unopened }, flow)), entries };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Finds the archives of a group, each once, and what each of its entries stands for. */
async function placesOf(
  written: readonly string[],
  context: MediaContext,
  { onEvent }: Flow,
): Promise<{
  readonly places: ReadonlyMap<string, ArchivePlace>;
  readonly entries: readonly Omit<FoundEntry, 'group'>[];
}> {
  const all = new Map<string, ArchivePlace>();
  const entries: Omit<FoundEntry, 'group'>[] = [];
  for (const entry of written) {
    const { places, several } = await archivesNamed(entry, context);
    if (places.length === 0) onEvent({ type: 'notice', subject: entry, message: 'matches no archive' });
    for (const place of places) all.set(placeName(place), place);
    entries.push({ entry, several, count: places.length });
  }
  return { places: all, entries };
}

/** Closes archives. */
export async function closeAll(opened: readonly OpenedArchive[]): Promise<void> {
  await Promise.all(opened.map(({ archive }) => archive[Symbol.asyncDispose]()));
}
