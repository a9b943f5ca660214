import { compare } from 'semver';
import { nearest } from '../../../formats/document/suggest.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { configurationForm } from '../../../formats/solution/configuration-edit.ts';
import { instanceName, reasonAgainst } from '../../../formats/solution/environments.ts';
import { isWantedVersion, NONE, wantedVersionWords } from '../../../formats/solution/wanted-version.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { availableOf, chooseOne, wantedOf } from '../../shared/solutions/sets/index.ts';
import { versionNow } from './chosen.ts';
import { editFile, type FileEdits } from './edit-file.ts';
import { type ArchiveLook, archiveLook, type ConfiguredArchive } from './look.ts';
import type { Edited, MediaReach } from './request.ts';
import { aboutSet, setChosen, wantingOf } from './set.ts';

/** Which version of a Solution is to be active. */
export interface ActivateRequest {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly name: string;
  /** A SemVer version, a range of them, or `latest`. */
  readonly wanted: string;
  /** The namespace that it is to run in. Left out: what is said is not of an environment. */
  readonly environment?: string | undefined;
  readonly media?: MediaReach;
}

/** What an activation did. */
export interface ActivateResult extends Edited {
  readonly name: string;
  readonly environment?: string;
  readonly wanted: string;
  /** The version that an install chooses by that, and its archive, as the configuration writes it. */
  readonly version: string;
  readonly archive: string;
  /** The version that it would have chosen before; undefined where none. */
  readonly from?: string;
  /** Whether that was higher. */
  readonly downgraded: boolean;
}

/**
 * Sets in a SolutionsConfiguration which version of a Solution is to be active. Before it writes, it reports if the
 * version is lower than the previous one. Throws `usage-invalid` if it is neither a version nor a range,
 * `version-absent` if it is not available, `version-conflict`, `configuration-invalid`, and what `editFile` throws.
 */
export async function activateSolution(request: ActivateRequest, flow: Flow): Promise<ActivateResult> {
  const { name, wanted, environment, configuration: path } = request;
  const reason = environment === undefined ? undefined : reasonAgainst(name, environment);
  if (reason !== undefined)
    throw new SolpackError('usage-invalid', '--environment', reason, { hint: 'name another one' });
  if (!isWantedVersion(wanted)) {
    throw new SolpackError('usage-invalid', JSON.stringify(wanted), wantedVersionWords, { hint: 'write one of these' });
  }
  const look = archiveLook(path, flow, request.media);
  return editFile(path, flow, (before) => decideActive(request, before, look));
}

async function decideActive(
  { configuration: path, name, wanted, environment }: ActivateRequest,
  before: SolutionsConfiguration,
  look: ArchiveLook,
): Promise<FileEdits<ActivateResult>> {
  const form = configurationForm(before);
  const found = await look.all(before);
  requireAvailable(name, wanted, before, found);
  const alone = chooseOne(before, found, name, wanted);
  const isOff = environment !== undefined && before.active.get(name) === NONE;
  if (isOff) throw inactive(path, name);
  const from = versionNow(before, found, name, environment);
  const subject = instanceName(name, environment);
  const after = wantingOf(before, name, wanted, environment);
  const resolution = setChosen(after, found);
  const member = 'set' in resolution && resolution.set.members.find(({ release }) => release.name === subject);
  const chosen = member ? member.release.of : alone;
  const downgraded = from !== undefined && compare(chosen.version, from) < 0;
  return {
    edits: [
      environment === undefined
        ? { edit: 'want', solution: name, wanted }
        : { edit: 'place', solution: name, environment, wanted },
    ],
    notices: [
      ...(downgraded ? [{ subject, message: downWords(chosen, from) }] : []),
      ...aboutEnvironments(before, name, environment),
      ...aboutSet([before, found], after, found),
    ],
    result: (_, { changed }) => ({
      configuration: path,
      form,
      changed,
      name,
      ...(environment === undefined ? {} : { environment }),
      wanted,
      version: chosen.version,
      archive: chosen.entry,
      ...(from === undefined ? {} : { from }),
      downgraded,
    }),
  };
}

/** Returns what else an activation means. */
function aboutEnvironments(
  before: SolutionsConfiguration,
  name: string,
  environment: string | undefined,
): FileEdits<unknown>['notices'] {
  const environments = before.environments.get(name);
  if (environment !== undefined && environments === undefined && wantedOf(before, name) !== undefined) {
    const message = 'runs only in its environments from now on: the next install removes it everywhere else';
    return [{ subject: name, message }];
  }
  if (environment !== undefined || environments === undefined) return [];
  const message = 'has environments, which do not change; what they share comes from this version if it is the highest';
  return [{ subject: name, message }];
}

function inactive(path: string, name: string): SolpackError {
  return new SolpackError('usage-invalid', name, 'is not active, so it cannot run in an environment', {
    hint: `"solpack activate ${name} -f ${shellWord(path)}" first`,
  });
}

function downWords({ version, sequence }: ConfiguredArchive, from: string): string {
  const refusal =
    sequence === undefined
      ? 'it has no sequence, so no install refuses the downgrade'
      : 'if a higher sequence was installed, an install refuses the downgrade without --allow-downgrade';
  return `is a downgrade from ${from} to ${version}: ${refusal}`;
}

/** Throws `version-absent` where there is no archive of a Solution, naming the Solutions that there are. */
function requireAvailable(
  name: string,
  wanted: string,
  before: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
): void {
  if (availableOf(found, name).length > 0) return;
  const other = found.find(({ group }) => group === name);
  if (other) {
    throw new SolpackError(
      'configuration-invalid',
      other.path,
      `holds ${other.name} ${other.version}, but is listed under ${name}: the file was overwritten after the import`,
      { hint: 'unimport it, and import it again' },
    );
  }
  const names = [...new Set(found.filter((one) => availableOf([one], one.name).length > 0).map((one) => one.name))];
  const there = names.length > 0 ? `there are ${names.sort().join(', ')}` : 'there is no archive of any Solution';
  const meant = nearest(name, [...names, ...before.groups.flatMap((group) => group.name ?? [])]);
  const listed = before.groups.some((group) => group.name === name)
    ? 'no archive of it can be read'
    : 'is not available';
  throw new SolpackError('version-absent', `${name} ${wanted}`, `${listed}; ${there}`, {
    hint: meant === undefined ? 'add its archive with "solpack import"' : `did you mean ${meant}?`,
  });
}
