import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { instanceName } from '../../../formats/solution/environments.ts';
import { isSemVer } from '../../../formats/solution/names.ts';
import { NONE } from '../../../formats/solution/wanted-version.ts';
import { type Candidate, chosenOf, wantedOf, wanting } from '../../shared/solutions/sets/index.ts';
import type { ConfiguredArchive } from './look.ts';
import { setChosen } from './set.ts';

/**
 * Finds all archives of a Solution that an install would use: the one that is active, and those of its environments;
 * those of its set, where there is one.
 */
export function usedOf(
  configuration: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
  name: string,
): ConfiguredArchive[] {
  const resolution = setChosen(configuration, found);
  if ('set' in resolution)
    return resolution.set.members.flatMap(({ release: { of } }) => (of.name === name ? [of] : []));
  const environments = configuration.environments.get(name);
  if (environments === undefined) return [chosenOf(configuration, found, name)].flatMap((one) => one ?? []);
  if (configuration.active.get(name) === NONE) return [];
  const wanted = [...environments.values(), configuration.active.get(name)].flatMap((one) => one ?? []);
  return wanted.flatMap((one) => chosenOf(wanting(configuration, name, one), found, name) ?? []);
}

/** Finds the archive that an install would choose for an environment of a Solution; undefined where there is none. */
export function chosenIn<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
  name: string,
  environment: string,
): T | undefined {
  const wanted = configuration.environments.get(name)?.get(environment);
  return wanted === undefined ? undefined : chosenOf(wanting(configuration, name, wanted), found, name);
}

/** Lists what a configuration wants to be active that is in none of these archives: `guestbook 1.0.0`. */
export function unmetOf(configuration: SolutionsConfiguration, found: readonly Candidate[]): string[] {
  const active = [...configuration.active]
    .filter(([name, wanted]) => wanted !== NONE && chosenOf(configuration, found, name) === undefined)
    .map(([name, wanted]) => `${name} ${wanted}`);
  const placed = [...configuration.environments].flatMap(([name, environments]) =>
    configuration.active.get(name) === NONE
      ? []
      : [...environments]
          .filter(([environment]) => chosenIn(configuration, found, name, environment) === undefined)
          .map(([environment, wanted]) => `${instanceName(name, environment)} ${wanted}`),
  );
  return [...active, ...placed];
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
  const wanted = environment === undefined ? wantedOf(before, name) : before.environments.get(name)?.get(environment);
  const chosen = environment === undefined ? chosenOf(before, found, name) : chosenIn(before, found, name, environment);
  return chosen?.version ?? (wanted !== undefined && isSemVer(wanted) ? wanted : undefined);
}
