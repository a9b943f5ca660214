import { compare, prerelease, valid } from 'semver';
import type { SetMember } from '../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { isInRange } from '../../formats/solution/wanted-version.ts';
import type { Candidate } from './choose.ts';

/** Which version of a Solution was chosen, and why. */
export interface Choice {
  readonly name: string;
  readonly version: string;
  readonly reason: string;
  /** The other versions that there are archives of, the highest first. */
  readonly passedOver: readonly string[];
}

/** Tells why some archives were chosen, and what was passed over for them. `members` are those of their set. */
export function choicesOf(
  { active }: Pick<SolutionsConfiguration, 'active'>,
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  members: readonly SetMember[] = [],
): Choice[] {
  return chosen.map((one) => {
    const { name, version } = one;
    const isAsked = members.some(({ release, why }) => release.name === name && why !== 'wanted');
    const others = candidates.filter((other) => other.name === name && other !== one).map((other) => other.version);
    return {
      name,
      version,
      reason: isAsked ? askedBy(name, members) : reasonFor(active.get(name) ?? 'latest', version, others),
      passedOver: others.sort((a, b) => compare(b, a)),
    };
  });
}

/** Tells who asks for a Solution that the configuration does not want by itself. */
function askedBy(name: string, members: readonly SetMember[]): string {
  const asking = members.flatMap(({ release, needs }) =>
    needs.flatMap(({ by, ...need }) => (by === name ? [{ ...need, release }] : [])),
  );
  const [first] = asking;
  if (first === undefined) return 'what another configuration has installed requires it';
  const { release, kind, range } = first;
  const verb = kind === 'recommends' ? 'recommends' : 'requires';
  return `${release.name} ${release.version} ${verb} ${first.name}${range === '*' ? '' : ` ${range}`}`;
}

function reasonFor(wanted: string, version: string, others: readonly string[]): string {
  if (wanted !== 'latest' && valid(wanted) !== null) return `the configuration wants ${wanted}`;
  const within = wanted === 'latest' ? '' : ` in the range ${wanted}`;
  if (others.length === 0) return `the only version there is${within === '' ? '' : `, and it is${within}`}`;
  const higher = others.filter((other) => compare(other, version) > 0);
  const passes = higher.some((other) => prerelease(other) !== null);
  const possible = (other: string): boolean =>
    wanted === 'latest' ? prerelease(other) === null : isInRange(other, wanted);
  if (higher.some(possible)) return `the highest version${within} that fits all others`;
  return `the highest version${within}${passes ? ' that is no pre-release' : ''}`;
}
