import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import { type Candidate, choose, wantedOf } from './choose.ts';
import { wanting } from './placements.ts';

/**
 * Finds the archive of a Solution that an install would choose of these, looking at no other Solution. Of a version
 * that is there twice it takes the first. Undefined where none is to be active, or none can be chosen.
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
