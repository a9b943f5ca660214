import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { instanceName } from '../../../formats/solution/environments.ts';
import { isSemVer } from '../../../formats/solution/names.ts';
import { activeArchive, activeArchives, type Candidate, wantedVersions } from '../../shared/solutions/sets/index.ts';
import type { ConfiguredArchive } from './look.ts';
import { setChosen } from './set.ts';

/**
 * Finds all archives of a Solution that an install would use: the one that is active, and those of its environments;
 * those of its set, where there is one.
 */
export function usedArchives(
  configuration: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
  name: string,
): ConfiguredArchive[] {
  const resolution = setChosen(configuration, found);
  if ('set' in resolution)
    return resolution.set.members.flatMap(({ release: { of } }) => (of.name === name ? [of] : []));
  return activeArchives(configuration, found, name);
}

/** Lists what a configuration wants to be active that is in none of these archives: `guestbook 1.0.0`. */
export function unmetOf(configuration: SolutionsConfiguration, found: readonly Candidate[]): string[] {
  const names = new Set([...configuration.active.keys(), ...configuration.environments.keys()]);
  return [...names].flatMap((name) =>
    wantedVersions(configuration, name)
      .filter(({ wanted }) => activeArchive(configuration, found, name, wanted) === undefined)
      .map(({ environment, wanted }) => `${instanceName(name, environment)} ${wanted}`),
  );
}

/**
 * Tells the version of a Solution that is active by a configuration, or runs in an environment of it; the one that it
 * names where no archive has that.
 */
export function versionNow(
  before: SolutionsConfiguration,
  found: readonly Candidate[],
  name: string,
  environment?: string,
): string | undefined {
  const own = wantedVersions(before, name).find((one) => one.environment === environment);
  if (own === undefined) return undefined;
  return activeArchive(before, found, name, own.wanted)?.version ?? (isSemVer(own.wanted) ? own.wanted : undefined);
}
