import { compare } from 'semver';
import { shellWord } from '../../../formats/shell-word.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { configurationForm } from '../../../formats/solution/configuration-edit.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { activeArchive, availableOf, wantedVersions } from '../../shared/solutions/sets/index.ts';
import { unmetOf, usedArchives } from './chosen.ts';
import { requireNotRead } from './completing.ts';
import { editFile, type FileEdits } from './edit-file.ts';
import {
  type ArchiveLook,
  archiveLook,
  type ConfiguredArchive,
  type ConfiguredEntry,
  isSameFile,
  listedEntries,
} from './look.ts';
import type { Edited, MediaReach, NamedArchive } from './request.ts';
import { aboutSet, askingFor } from './set.ts';

/** Which archives to remove from a configuration. */
export interface UnimportRequest {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly archives: readonly NamedArchive[];
  readonly media?: MediaReach;
}

/** An archive that a configuration no longer lists; an entry of several archives occurs once for each of them. */
export interface UnimportedArchive {
  /** As the configuration wrote it; as the user did where it was not there. */
  readonly archive: string;
  /** Of the Solution in it; undefined where it could not be opened. */
  readonly name?: string;
  readonly version?: string;
  /** `absent`: the configuration did not list it. */
  readonly action: 'removed' | 'absent';
}

/** What an unimport did. */
export interface UnimportResult extends Edited {
  readonly archives: readonly UnimportedArchive[];
}

/**
 * Removes archives from a SolutionsConfiguration, whether their files still exist or not. Archives that are not listed
 * are reported. The group of a Solution stays, with its versions and settings of the site. Throws `version-active` if
 * an install would choose a version that is to be removed, and what `editFile` throws; then nothing is removed.
 */
export async function unimportArchives(request: UnimportRequest, flow: Flow): Promise<UnimportResult> {
  const { configuration: path, archives } = request;
  const look = archiveLook(path, flow, request.media);
  return editFile(path, flow, (before) => decide(path, archives, before, look));
}

async function decide(
  path: string,
  archives: readonly NamedArchive[],
  before: SolutionsConfiguration,
  look: ArchiveLook,
): Promise<FileEdits<UnimportResult>> {
  const found = await look.all(before);
  const listed = listedEntries(path, before);
  const removed: UnimportedArchive[] = [];
  const notices: { subject: string; message: string }[] = [];
  for (const named of archives) {
    const matching = await entriesOf(named, listed);
    if (matching.length === 0) {
      removed.push({ archive: named.given, action: 'absent' });
      notices.push({ subject: named.given, message: 'is not in the configuration' });
    }
    for (const { entry } of matching) {
      if (removed.some(({ archive }) => archive === entry)) continue;
      const held = found.filter((one) => one.entry === entry);
      for (const { name, version } of held) removed.push({ archive: entry, name, version, action: 'removed' });
      if (held.length === 0) removed.push({ archive: entry, action: 'removed' });
    }
  }
  const gone = new Set(removed.filter(({ action }) => action === 'removed').map(({ archive }) => archive));
  const left = found.filter(({ entry }) => !gone.has(entry));
  const isActive = ({ name, version }: ConfiguredArchive): boolean =>
    usedArchives(before, found, name).some((one) => one.version === version);
  for (const one of found.filter(({ entry }) => gone.has(entry))) {
    requireInactive(path, one, before, found, left);
    requireNotRead(path, one, left, isActive);
  }
  return {
    edits: [...gone].map((entry) => ({ edit: 'remove', entry })),
    notices: [...notices, ...unmet(before, found, left), ...aboutSet([before, found], before, left)],
    result: (_, { changed }) => ({
      configuration: path,
      form: configurationForm(before),
      changed,
      archives: removed,
    }),
  };
}

/** The entries that a user means: by the file, otherwise by what the configuration writes. */
async function entriesOf(
  { given, path }: NamedArchive,
  listed: readonly ConfiguredEntry[],
): Promise<ConfiguredEntry[]> {
  const same: ConfiguredEntry[] = [];
  for (const one of listed) {
    if (path !== undefined && (await isSameFile(one.path, path))) same.push(one);
  }
  return same.length > 0 ? same : listed.filter(({ entry }) => entry === given);
}

function requireInactive(
  path: string,
  archive: ConfiguredArchive,
  before: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
  left: readonly ConfiguredArchive[],
): void {
  const { name, version } = archive;
  if (!usedArchives(before, found, name).some((one) => one.version === version)) return;
  const others = availableOf(left, name).map((one) => one.version);
  // The same version in another file takes its place.
  if (others.includes(version)) return;
  const other = others.sort(compare).at(-1);
  const asking = askingFor(before, found, name);
  if (asking !== undefined) {
    const message = `holds ${name} ${version}, which ${asking.name} ${asking.version} requires`;
    const hint = `"solpack deactivate ${asking.name} -f ${shellWord(path)}" first, or import an archive that can take its place`;
    throw new SolpackError('version-active', archive.path, message, { hint });
  }
  const environments = wantedVersions(before, name).flatMap(({ environment, wanted }) =>
    environment !== undefined && activeArchive(before, found, name, wanted)?.version === version ? [environment] : [],
  );
  const where = environments.length === 0 ? '' : ` in ${environments.join(', ')}`;
  const place = environments[0] === undefined ? '' : ` --environment ${environments[0]}`;
  const instead = other === undefined ? '' : `"solpack activate ${name} ${other}${place} -f ${shellWord(path)}" or `;
  throw new SolpackError('version-active', archive.path, `holds ${name} ${version}, which is active${where}`, {
    hint: `${instead}"solpack deactivate ${name}${place} -f ${shellWord(path)}" first`,
  });
}

/** Returns what is to be active, and was in one of the archives that could not be opened, if in any. */
function unmet(
  before: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
  left: readonly ConfiguredArchive[],
): { subject: string; message: string }[] {
  return unmetOf(before, left).map((wanted) => ({
    subject: wanted,
    message: unmetOf(before, found).includes(wanted)
      ? 'is active, but no readable archive has it'
      : 'is active, but no remaining archive has it',
  }));
}
