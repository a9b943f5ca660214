import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { instanceName } from '../../formats/solution/environments.ts';
import { isSemVer } from '../../formats/solution/names.ts';
import { NONE } from '../../formats/solution/wanted-version.ts';
import { SolpackError } from '../errors.ts';
import { type Candidate, choose, wantedOf } from '../solutions/choose.ts';
import { wanting } from '../solutions/placements.ts';
import type { ConfiguredArchive } from './look.ts';
import { setChosen } from './set.ts';

/**
 * Finds the archive of a Solution that an install would choose of these, looking at no other Solution. Of a version that is there twice
 * it takes the first. Undefined where none is to be active, or none can be chosen.
 */
export function chosenOf<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
  name: string,
): T | undefined {
  const wanted = wantedOf(configuration, name);
  if (wanted === undefined) return undefined;
  const versions = new Map(found.toReversed().map((one) => [`${one.name} ${one.version}`, one]));
  try {
    return chooseOne(configuration, [...versions.values()], name, wanted);
  } catch (error) {
    if (error instanceof SolpackError) return undefined;
    throw error;
  }
}

/** Finds all archives of a Solution that an install would use: the one that is active, and those of its environments; those of its set, where there is one. */
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

/** Chooses the version `wanted` of a Solution, as an install would if the configuration wanted that. Throws as `choose`. */
export function chooseOne<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
  name: string,
  wanted: string,
): T {
  return choose(wanting(configuration, name, wanted), availableOf(found, name))[0]!;
}

/** The archives of a Solution; one that is listed in the group of another Solution cannot be active. */
export function availableOf<T extends Candidate>(found: readonly T[], solution: string): T[] {
  return found.filter(({ name, group }) => name === solution && (group === undefined || group === solution));
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

/** Tells the version of a Solution that is active by a configuration, or runs in an environment of it; the one that it names where no archive has that. */
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
