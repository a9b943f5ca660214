import { dirname, relative } from 'node:path';
import { prerelease, rcompare } from 'semver';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import {
  type ConfigurationEdit,
  type ConfigurationForm,
  configurationForm,
  newConfiguration,
} from '../../../formats/solution/configuration-edit.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { contains, portable } from '../../kernel/files/index.ts';
import { usedArchives } from './chosen.ts';
import { lackingNotices } from './completing.ts';
import { editFile, type FileEdits } from './edit-file.ts';
import {
  type ArchiveLook,
  archiveLook,
  type ConfiguredArchive,
  type ConfiguredEntry,
  type FoundArchive,
  isSameFile,
  type KnownArchive,
  listedEntries,
} from './look.ts';
import type { Edited, MediaReach, NamedArchive } from './request.ts';

/** Which archives to list in which configuration. */
export interface ImportRequest {
  /** The SolutionsConfiguration, an absolute path; made where there is no file. */
  readonly configuration: string;
  readonly archives: readonly NamedArchive[];
  /** The form of a configuration that is made. Left out: `grouped`. */
  readonly form?: ConfigurationForm | undefined;
  /** Whether the versions of these archives are to be active: of several of one Solution the highest. Left out: no. */
  readonly activate?: boolean;
  /** Whether the folder of a configuration that is made is made too. Left out: no, because a path may be mistyped. */
  readonly makesFolder?: boolean;
  readonly media?: MediaReach;
}

/** An archive that a configuration lists after an import. */
export interface ImportedArchive {
  /** As the configuration writes it. */
  readonly archive: string;
  /** Of the Solution in it; an entry of several archives is there once for each of them. */
  readonly name: string;
  readonly version: string;
  /** `present`: the configuration listed it before. */
  readonly action: 'imported' | 'present';
  /** Whether an install would choose it. */
  readonly active: boolean;
}

/** What an import did. */
export interface ImportResult extends Edited {
  /** Whether there was no configuration before. */
  readonly created: boolean;
  readonly archives: readonly ImportedArchive[];
}

/** What is to be imported, and the archives that it stands for. */
interface Looked {
  readonly named: NamedArchive;
  readonly archives: readonly FoundArchive[];
}

/**
 * Lists archives in a SolutionsConfiguration: in the group of their Solution, or in the one list of the flat form. A
 * folder or a pattern becomes one entry, and so do an address and a reference. It opens all archives of an entry before
 * it changes the file, and lists all entries or none. Paths below the configuration's folder are written relative to
 * it. Entries that are already listed are reported. Throws `version-conflict` if another file also has a version,
 * `configuration-invalid` if a listed file holds another Solution than its group, `usage-invalid` for an entry of
 * several Solutions in the grouped form, and what opening and `editFile` throw.
 */
export async function importArchives(request: ImportRequest, flow: Flow): Promise<ImportResult> {
  return (await imported(request, flow, false)).result;
}

/** Returns what the configuration would say after `importArchives`, and writes nothing. Throws as that. */
export async function foreseeImport(request: ImportRequest, flow: Flow): Promise<Uint8Array> {
  return (await imported(request, flow, true)).bytes;
}

interface Imported {
  readonly result: ImportResult;
  readonly bytes: Uint8Array;
}

async function imported(request: ImportRequest, flow: Flow, isDry: boolean): Promise<Imported> {
  const { configuration: path, archives, form, activate = false, makesFolder = false } = request;
  const look = archiveLook(path, flow, request.media);
  const looked: Looked[] = [];
  for (const named of archives) {
    if (await isAmong(looked, named)) continue;
    flow.onEvent({ type: 'step', step: 'open', subject: named.given });
    looked.push({ named, archives: await look.at(named.path ?? named.given) });
  }
  const all = { path, looked, activate };
  return editFile(path, flow, (before) => decide(all, before, look), {
    absent: newConfiguration(form ?? 'grouped'),
    isDry,
    makesFolder,
  });
}

interface Wanted {
  readonly path: string;
  readonly looked: readonly Looked[];
  readonly activate: boolean;
}

async function decide(
  { path, looked, activate }: Wanted,
  before: SolutionsConfiguration,
  look: ArchiveLook,
): Promise<FileEdits<Imported>> {
  const form = configurationForm(before);
  const found = await look.all(before);
  const edits: ConfigurationEdit[] = [];
  const imported: Omit<ImportedArchive, 'active'>[] = [];
  for (const { named, archives } of looked) {
    const listed = (await listedAs(path, named, before)) ?? (await coveredBy(archives, found));
    const entry = listed?.entry ?? entryOf(path, named);
    const action = listed ? 'present' : 'imported';
    for (const { name, version } of archives) imported.push({ archive: entry, name, version, action });
    if (listed) {
      const other = archives.find(({ name }) => listed.group !== undefined && listed.group !== name);
      if (other) throw misplaced(entry, other, listed.group!);
      continue;
    }
    const solution = solutionOf(named, archives, form);
    for (const one of archives) {
      await requireOnly(one, found);
      found.push({ ...one, entry, group: undefined });
    }
    edits.push({ edit: 'add', solution, entry });
  }
  if (activate) edits.push(...activations(looked));
  return {
    edits,
    notices: [
      ...[...new Set(imported.filter(({ action }) => action === 'present').map(({ archive }) => archive))].map(
        (archive) => ({ subject: archive, message: 'is in the configuration already' }),
      ),
      ...lackingNotices(
        looked.flatMap(({ archives }) => archives),
        found,
      ),
    ],
    result: (after, { bytes, ...done }) => ({
      bytes,
      result: {
        configuration: path,
        form,
        ...done,
        archives: imported.map((one) => {
          const used = usedArchives(after, found, one.name);
          return {
            ...one,
            active: used.some(({ entry, version }) => entry === one.archive && version === one.version),
          };
        }),
      },
    }),
  };
}

/**
 * Says of each Solution among archives that its highest version is to be active; a pre-release, where there is nothing
 * else.
 */
function activations(looked: readonly Looked[]): ConfigurationEdit[] {
  const byName = Map.groupBy(
    looked.flatMap(({ archives }) => archives),
    ({ name }) => name,
  );
  return [...byName].map(([solution, all]) => {
    const versions = all.map(({ version }) => version);
    const finals = versions.filter((version) => prerelease(version) === null);
    const [wanted] = (finals.length > 0 ? finals : versions).toSorted(rcompare);
    return { edit: 'want', solution, wanted: wanted! };
  });
}

/** Returns whether an archive was named before, by whatever path. */
async function isAmong(looked: readonly Looked[], { given, path }: NamedArchive): Promise<boolean> {
  for (const { named } of looked) {
    const isPath = path !== undefined && named.path !== undefined;
    if (isPath ? await isSameFile(path, named.path) : given === named.given) return true;
  }
  return false;
}

/** Finds the entry of a configuration that is an archive already. */
async function listedAs(
  path: string,
  named: NamedArchive,
  configuration: SolutionsConfiguration,
): Promise<ConfiguredEntry | undefined> {
  for (const listed of listedEntries(path, configuration)) {
    if (named.path === undefined ? listed.entry === named.given : await isSameFile(listed.path, named.path))
      return listed;
  }
  return undefined;
}

/** Finds the entry that stands for these archives already, as the one of their folder does. */
async function coveredBy(
  archives: readonly FoundArchive[],
  found: readonly ConfiguredArchive[],
): Promise<ConfiguredEntry | undefined> {
  const entries: ConfiguredArchive[] = [];
  for (const { path } of archives) {
    const same = await sameAmong(path, found);
    if (same === undefined) return undefined;
    entries.push(same);
  }
  return entries.every(({ entry }) => entry === entries[0]!.entry) ? entries[0] : undefined;
}

async function sameAmong(path: string, found: readonly ConfiguredArchive[]): Promise<ConfiguredArchive | undefined> {
  for (const one of found) if (await isSameFile(one.path, path)) return one;
  return undefined;
}

/** How a configuration writes an archive. */
function entryOf(path: string, { given, path: at }: NamedArchive): string {
  if (at === undefined) return given;
  const folder = dirname(path);
  // The folder itself has a name too, and an empty entry stands for nothing.
  return contains(folder, at) ? portable(relative(folder, at)) || '.' : at;
}

/**
 * The Solution that all of these archives hold, whose group an entry belongs to; '' in the flat form, which has no
 * groups.
 */
function solutionOf({ given }: NamedArchive, archives: readonly FoundArchive[], form: ConfigurationForm): string {
  const names = [...new Set(archives.map(({ name }) => name))].sort();
  if (names.length === 1) return names[0]!;
  if (form === 'flat') return '';
  throw new SolpackError('usage-invalid', given, `holds several Solutions (${names.join(', ')}), but a group has one`, {
    hint: 'name the archives one by one, for example by a pattern for each Solution, or use a configuration of the flat form',
  });
}

/** Throws `version-conflict` where a version is in another file too. */
async function requireOnly(archive: FoundArchive, found: readonly ConfiguredArchive[]): Promise<void> {
  for (const other of found) {
    if (other.name !== archive.name || other.version !== archive.version) continue;
    if (await isSameFile(other.path, archive.path)) continue;
    throw new SolpackError(
      'version-conflict',
      archive.path,
      `holds ${archive.name} ${archive.version}, as does ${other.path}`,
      {
        hint: 'import one of them; to replace the one in the configuration, unimport it first',
      },
    );
  }
}

function misplaced(entry: string, { name, version }: KnownArchive, group: string): SolpackError {
  return new SolpackError(
    'configuration-invalid',
    entry,
    `holds ${name} ${version}, but is listed under ${group}: the file was overwritten after the import`,
    { hint: 'unimport it, and import it again' },
  );
}
