import { dirname, relative } from 'node:path';
import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import {
  type ConfigurationEdit,
  type ConfigurationForm,
  configurationForm,
  newConfiguration,
} from '../../formats/solution/configuration-edit.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { contains, portable } from '../paths.ts';
import { chosenOf } from './chosen.ts';
import { editFile, type FileEdits } from './edit-file.ts';
import {
  type ArchiveLook,
  archiveLook,
  type ConfiguredArchive,
  type ConfiguredEntry,
  isSameFile,
  type KnownArchive,
  listedEntries,
} from './look.ts';
import type { Edited, NamedArchive } from './request.ts';

/** Which archives to list in which configuration. */
export interface ImportRequest {
  /** The SolutionsConfiguration, an absolute path; made where there is no file. */
  readonly configuration: string;
  readonly archives: readonly NamedArchive[];
  /** The form of a configuration that is made. */
  readonly form: ConfigurationForm;
}

/** An archive that a configuration lists after an import. */
export interface ImportedArchive {
  /** As the configuration writes it. */
  readonly archive: string;
  /** Of the Solution in it; undefined where it was not looked at. */
  readonly name?: string;
  readonly version?: string;
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

/** An archive to import, and what is known of it. */
interface Looked {
  readonly named: NamedArchive;
  readonly known: KnownArchive | undefined;
}

/**
 * Lists archives in a SolutionsConfiguration: in the group of their Solution, or in the one list of the flat form. Each is opened
 * before the file is changed, and all of them are listed or none. Paths below the configuration's folder are written relative to it.
 * What is listed already is told. Throws `version-conflict` where a version is in another file too, `configuration-invalid` where a
 * listed file holds another Solution than its group, `usage-invalid`, and what `openArchive` and `editFile` throw.
 */
export async function importArchives(request: ImportRequest, flow: Flow): Promise<ImportResult> {
  const { configuration: path, archives, form } = request;
  const look = archiveLook(path, flow);
  const looked: Looked[] = [];
  for (const named of archives) {
    if (await isAmong(looked, named)) continue;
    flow.onEvent({ type: 'step', step: 'open', subject: named.given });
    looked.push({ named, known: named.place === undefined ? undefined : await look.at(named.place) });
  }
  return editFile(path, flow, (before) => decide(path, looked, before, look), newConfiguration(form));
}

async function decide(
  path: string,
  looked: readonly Looked[],
  before: SolutionsConfiguration,
  look: ArchiveLook,
): Promise<FileEdits<ImportResult>> {
  const form = configurationForm(before);
  const found = await look.all(before);
  const [edits, imported]: [ConfigurationEdit[], Omit<ImportedArchive, 'active'>[]] = [[], []];
  for (const { named, known } of looked) {
    const listed = await listedAs(path, named, before);
    const entry = listed?.entry ?? entryOf(path, named);
    const told = known === undefined ? {} : { name: known.name, version: known.version };
    imported.push({ archive: entry, ...told, action: listed ? 'present' : 'imported' });
    if (listed) {
      if (known && listed.group !== undefined && listed.group !== known.name)
        throw misplaced(entry, known, listed.group);
      continue;
    }
    if (known === undefined) {
      if (form === 'grouped') throw unknown(named);
      edits.push({ edit: 'add', solution: '', entry });
      continue;
    }
    const archive: ConfiguredArchive = { ...known, entry, path: pathOf(named), group: undefined };
    requireOnly(archive, found);
    found.push(archive);
    edits.push({ edit: 'add', solution: known.name, entry });
  }
  return {
    edits,
    notices: imported
      .filter(({ action }) => action === 'present')
      .map(({ archive }) => ({ subject: archive, message: 'is in the configuration already' })),
    result: (after, done) => ({
      configuration: path,
      form,
      ...done,
      archives: imported.map((one) => {
        const chosen = one.name === undefined ? undefined : chosenOf(after, found, one.name);
        return { ...one, active: chosen?.entry === one.archive };
      }),
    }),
  };
}

/** Tells whether an archive was named before, by whatever path. */
async function isAmong(looked: readonly Looked[], { given, place }: NamedArchive): Promise<boolean> {
  for (const { named } of looked) {
    const isPath = typeof place === 'string' && typeof named.place === 'string';
    if (isPath ? await isSameFile(place, named.place) : given === named.given) return true;
  }
  return false;
}

/** Finds the entry of a configuration that is an archive already. */
async function listedAs(
  path: string,
  { given, place }: NamedArchive,
  configuration: SolutionsConfiguration,
): Promise<ConfiguredEntry | undefined> {
  for (const listed of listedEntries(path, configuration)) {
    if (typeof place === 'string' ? await isSameFile(listed.path, place) : listed.entry === given) return listed;
  }
  return undefined;
}

function pathOf({ given, place }: NamedArchive): string {
  return typeof place === 'string' ? place : given;
}

/** How a configuration writes an archive. */
function entryOf(path: string, { given, place }: NamedArchive): string {
  if (typeof place !== 'string') return given;
  const folder = dirname(path);
  return contains(folder, place) ? portable(relative(folder, place)) : place;
}

/** Throws `version-conflict` where a version is in another file too. */
function requireOnly(archive: ConfiguredArchive, found: readonly ConfiguredArchive[]): void {
  const other = found.find(({ name, version }) => name === archive.name && version === archive.version);
  if (other === undefined) return;
  throw new SolpackError(
    'version-conflict',
    archive.path,
    `holds ${archive.name} ${archive.version}, as does ${other.path}`,
    {
      hint: 'import one of them; unimport the one that is in the configuration first if it is to be replaced',
    },
  );
}

function misplaced(entry: string, { name, version }: KnownArchive, group: string): SolpackError {
  return new SolpackError(
    'configuration-invalid',
    entry,
    `holds ${name} ${version}, and is listed under ${group}: it was overwritten since it was imported`,
    { hint: 'unimport it, and import it again' },
  );
}

function unknown({ given }: NamedArchive): SolpackError {
  return new SolpackError(
    'usage-invalid',
    given,
    'cannot be looked at here, so nobody knows which group it belongs to',
    {
      hint: 'write it into the group of its Solution by hand, or use a configuration of the flat form',
    },
  );
}
