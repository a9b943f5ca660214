import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { Release } from '../../../formats/solution/relations.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import { type ArchivePlace, archivesNamed, openMedium, placeName } from '../../shared/solutions/media/index.ts';
import { type Candidate, releaseIn } from '../../shared/solutions/sets/index.ts';
import { tellOther } from './other-kind.ts';
import type { MediaReach } from './request.ts';

/** What is known of an archive once it was opened; it is closed again. */
export interface KnownArchive {
  readonly name: string;
  readonly version: string;
  readonly sequence: number | undefined;
  /** What it asks of others and offers them. */
  readonly release: Release;
  /** What it has, and lacks where it is a delta. */
  readonly catalog: Pick<Catalog, 'contents' | 'selection'>;
}

/** An entry of a configuration. */
export interface ConfiguredEntry {
  /** As the configuration writes it. */
  readonly entry: string;
  /** Where that is: an absolute path, unless it is not a path. */
  readonly path: string;
  readonly group: string | undefined;
}

/** An entry whose archive could be opened. */
export interface ConfiguredArchive extends ConfiguredEntry, KnownArchive, Candidate {}

/** An archive that was found, and what is known of it. */
export interface FoundArchive extends KnownArchive {
  /** How messages name it. */
  readonly path: string;
}

/** Opens archives to learn what they hold. */
export interface ArchiveLook {
  /**
   * Opens all that a path, an address or a reference stands for. Throws `file-missing` where that is none, what opening
   * throws, and `archive-invalid` with the kind of what it is instead.
   */
  at(entry: string): Promise<FoundArchive[]>;
  /** Opens all that a configuration lists, and passes over those that cannot be read, which it reports once. */
  all(configuration: SolutionsConfiguration): Promise<ConfiguredArchive[]>;
}

/** Lists the entries of the configuration in the file `path`. */
export function listedEntries(path: string, { groups }: SolutionsConfiguration): ConfiguredEntry[] {
  return groups.flatMap(({ name: group, archives }) =>
    archives.map((entry) => ({ entry, path: isPath(entry) ? resolve(dirname(path), entry) : entry, group })),
  );
}

/** Whether an entry is a path, and no address. */
function isPath(entry: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(entry);
}

/**
 * Begins to look at the archives of the configuration in the file `path`. What was looked at once is not opened again.
 */
export function archiveLook(path: string, flow: Flow, reach: MediaReach = {}): ArchiveLook {
  const looks = new Map<string, Promise<KnownArchive>>();
  const context = { ...reach, base: dirname(path) };
  const known = async (place: ArchivePlace): Promise<FoundArchive> => {
    const name = placeName(place);
    const look = looks.get(name) ?? open(place, flow);
    looks.set(name, look);
    return { ...(await look), path: name };
  };
  const reported = new Set<string>();
  const tell = (subject: string, message: string): void => {
    if (!reported.has(subject)) flow.onEvent({ type: 'notice', subject, message });
    reported.add(subject);
  };
  return {
    at: async (entry) => {
      const { places } = await archivesNamed(entry, context);
      if (places.length > 0) return Promise.all(places.map(known));
      throw new SolpackError('file-missing', entry, 'holds no archive', {
        hint: 'name a file that ends in .iso or .tar, or a folder of such files',
      });
    },
    all: async (configuration) => {
      const found = new Map<string, ConfiguredArchive>();
      for (const listed of listedEntries(path, configuration)) {
        await passing(listed.path, tell, async () => {
          for (const place of (await archivesNamed(listed.entry, context)).places) {
            // In a group, an archive counts once, whatever entries stand for it.
            const key = `${listed.group ?? ''} ${placeName(place)}`;
            await passing(placeName(place), tell, async () => {
              if (!found.has(key)) found.set(key, { ...listed, ...(await known(place)) });
            });
          }
        });
      }
      return [...found.values()];
    },
  };
}

/** Does `work`; what it cannot read is reported, and passed over. */
async function passing(
  subject: string,
  tell: (subject: string, message: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    tell(subject, `is skipped: ${error.message}`);
  }
}

async function open(place: ArchivePlace, flow: Flow): Promise<KnownArchive> {
  flow.signal.throwIfAborted();
  try {
    return await lend(await openMedium(place, flow), async ({ catalog: { metadata, contents, selection } }) => {
      const { name, version, sequence } = metadata;
      const catalog = { contents, ...(selection ? { selection } : {}) };
      return { name, version, sequence, release: releaseIn(metadata), catalog };
    });
  } catch (error) {
    throw await tellOther(place, error, flow);
  }
}

/** Returns whether two paths lead to one file, which may be gone. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  return one === other || (await real(one)) === (await real(other));
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
