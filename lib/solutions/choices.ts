import { compare, prerelease, valid } from 'semver';
import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import type { Candidate } from './choose.ts';

/** Which version of a Solution was chosen, and why. */
export interface Choice {
  readonly name: string;
  readonly version: string;
  readonly reason: string;
  /** The other versions that there are archives of, the highest first. */
  readonly passedOver: readonly string[];
}

/** Tells why `choose` has chosen some archives, and what it has passed over for them. */
export function choicesOf(
  { active }: Pick<SolutionsConfiguration, 'active'>,
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
): Choice[] {
  return chosen.map((one) => {
    const { name, version } = one;
    const others = candidates.filter((other) => other.name === name && other !== one).map((other) => other.version);
    return {
      name,
      version,
      reason: reasonFor(active.get(name) ?? 'latest', version, others),
      passedOver: others.sort((a, b) => compare(b, a)),
    };
  });
}

function reasonFor(wanted: string, version: string, others: readonly string[]): string {
  if (wanted !== 'latest' && valid(wanted) !== null) return `the configuration wants ${wanted}`;
  const within = wanted === 'latest' ? '' : ` in the range ${wanted}`;
  if (others.length === 0) return `the only version there is${within === '' ? '' : `, and it is${within}`}`;
  const passes = others.some((other) => compare(other, version) > 0 && prerelease(other) !== null);
  return `the highest version${within}${passes ? ' that is no pre-release' : ''}`;
}
