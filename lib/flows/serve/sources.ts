import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type ArchivePlace, archivesNamed, type MediaContext, placeName } from '../../shared/solutions/media/index.ts';
import { configuredArchives, readConfiguration } from '../../shared/solutions/sets/index.ts';

/** Where to look for archives to serve. The path of the configuration is absolute. */
export interface Sources {
  /** What names archives: files, devices, folders, patterns, addresses. */
  readonly archives: readonly string[];
  /** A SolutionsConfiguration. Left out: none. */
  readonly configuration?: string | undefined;
  /** How archives are found that are named differently from by absolute paths. Left out: as by default. */
  readonly media?: MediaContext | undefined;
}

/** The archives that sources name now, by their names. */
export interface Wanted {
  /** By arguments, one by one: without them nothing is served. */
  readonly named: ReadonlyMap<string, ArchivePlace>;
  /** By the configuration, one by one. */
  readonly configured: ReadonlyMap<string, ArchivePlace>;
  /** In folders and by patterns. */
  readonly found: ReadonlyMap<string, ArchivePlace>;
  /** What the configuration says; undefined where there is none. */
  readonly document: SolutionsConfiguration | undefined;
}

/** Finds the archives that sources name now. Throws `configuration-invalid`, `usage-invalid`, `file-unreadable`. */
export async function wantedArchives({ archives, configuration, media = { base: '/' } }: Sources): Promise<Wanted> {
  const named = new Map<string, ArchivePlace>();
  const configured = new Map<string, ArchivePlace>();
  const found = new Map<string, ArchivePlace>();
  for (const entry of archives) {
    const { places, several } = await archivesNamed(entry, media);
    for (const place of places) (several ? found : named).set(placeName(place), place);
  }
  const document = configuration === undefined ? undefined : await readConfiguration(configuration);
  if (configuration !== undefined && document !== undefined) {
    for (const { places, several } of await configuredArchives(configuration, document, media)) {
      for (const place of places) (several ? found : configured).set(placeName(place), place);
    }
  }
  for (const name of named.keys()) configured.delete(name);
  for (const name of [...named.keys(), ...configured.keys()]) found.delete(name);
  return { named, configured, found, document };
}
