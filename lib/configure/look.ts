import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { openArchive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import type { Place } from '../place.ts';
import type { Candidate } from '../solutions/choose.ts';
import { tellOther } from './other-kind.ts';

/** What is known of an archive once it was opened; it is closed again. */
export interface KnownArchive {
  readonly name: string;
  readonly version: string;
  readonly sequence: number | undefined;
}

/** An entry of a configuration. */
export interface ConfiguredEntry {
  /** As the configuration writes it. */
  readonly entry: string;
  /** Where that is: an absolute path, unless it is no path. */
  readonly path: string;
  readonly group: string | undefined;
}

/** An entry whose archive could be opened. */
export interface ConfiguredArchive extends ConfiguredEntry, KnownArchive, Candidate {}

/** Opens archives to learn what they hold. */
export interface ArchiveLook {
  /** Opens one. Throws what opening throws, and `archive-invalid` with the kind of what it is instead. */
  at(place: Place): Promise<KnownArchive>;
  /** Opens all that a configuration lists, and passes over those that cannot be read, which it tells of once. */
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

/** Begins to look at the archives of the configuration in the file `path`. What was looked at once is not opened again. */
export function archiveLook(path: string, flow: Flow): ArchiveLook {
  const looks = new Map<string, Promise<KnownArchive>>();
  const at = (place: Place): Promise<KnownArchive> => {
    const key = typeof place === 'string' ? place : place.url.href;
    const look = looks.get(key) ?? open(place, flow);
    looks.set(key, look);
    return look;
  };
  const told = new Set<string>();
  const tell = (subject: string, message: string): void => {
    if (!told.has(subject)) flow.onEvent({ type: 'notice', subject, message });
    told.add(subject);
  };
  return {
    at,
    all: async (configuration) => {
      const found: ConfiguredArchive[] = [];
      for (const listed of listedEntries(path, configuration)) {
        if (!isPath(listed.entry)) {
          tell(listed.entry, 'is passed over: only what is on this machine is looked at here');
          continue;
        }
        try {
          found.push({ ...listed, ...(await at(listed.path)) });
        } catch (error) {
          if (!(error instanceof SolpackError)) throw error;
          tell(listed.path, `is passed over: ${error.message}`);
        }
      }
      return found;
    },
  };
}

async function open(place: Place, flow: Flow): Promise<KnownArchive> {
  flow.signal.throwIfAborted();
  try {
    return await lend(await openArchive(place, flow.signal), async ({ catalog: { metadata } }) => {
      const { name, version, sequence } = metadata;
      return { name, version, sequence };
    });
  } catch (error) {
    throw await tellOther(place, error, flow);
  }
}

/** Tells whether two paths lead to one file, which may be gone. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  return one === other || (await real(one)) === (await real(other));
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
