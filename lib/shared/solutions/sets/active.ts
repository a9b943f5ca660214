import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { NONE } from '../../../../formats/solution/wanted-version.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import { type Candidate, choose, wantedOf } from './choose.ts';
import { wanting } from './placements.ts';

/** The version, the range or `latest` that a configuration wants of a Solution, and where. */
export interface WantedVersion {
  /** The namespace of an environment; undefined for the Solution as a whole. */
  readonly environment: string | undefined;
  readonly wanted: string;
}

/**
 * Lists what a configuration wants of a Solution: as a whole first, then in its environments. Nothing where the
 * Solution is not to be active at all.
 */
export function wantedVersions(configuration: SolutionsConfiguration, name: string): WantedVersion[] {
  if (configuration.active.get(name) === NONE) return [];
  const whole = wantedOf(configuration, name);
  const own = [...(configuration.environments.get(name) ?? [])];
  return [
    ...(whole === undefined ? [] : [{ environment: undefined, wanted: whole }]),
    ...own.map(([environment, wanted]) => ({ environment, wanted })),
  ];
}

/**
 * Finds the archive of a Solution that an install would choose for the version `wanted`, looking at no other Solution.
 * Of a version that is there twice it takes the first. Undefined where none can be chosen.
 */
export function activeArchive<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
  name: string,
  wanted: string,
): T | undefined {
  const versions = new Map(found.toReversed().map((one) => [`${one.name} ${one.version}`, one]));
  try {
    return chooseOne(configuration, [...versions.values()], name, wanted);
  } catch (error) {
    if (error instanceof SolpackError) return undefined;
    throw error;
  }
}

/** Finds all archives of a Solution that an install would choose: of the whole first, then of its environments. */
export function activeArchives<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
  name: string,
): T[] {
  return wantedVersions(configuration, name).flatMap(
    ({ wanted }) => activeArchive(configuration, found, name, wanted) ?? [],
  );
}

/**
 * Chooses the version `wanted` of a Solution, as an install would if the configuration wanted that. Throws as `choose`.
 */
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
