import { compare, prerelease, valid } from 'semver';
import type { SetMember } from '../../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { instanceName } from '../../../../formats/solution/environments.ts';
import type { OutsideNeed } from '../../../../formats/solution/outside-need.ts';
import { isInRange } from '../../../../formats/solution/wanted-version.ts';
import type { Candidate } from './choose.ts';
import type { ChosenArchives } from './placements.ts';

/** Which version was chosen, and why. */
export interface Choice {
  /** A Solution, or one of its environments: `guestbook.team-a`. */
  readonly name: string;
  readonly version: string;
  readonly reason: string;
  /** The other versions that there are archives of, the highest first. */
  readonly passedOver: readonly string[];
  /** What it requires and others have installed, by other programs. Left out: nothing. */
  readonly outside?: readonly OutsideNeed[];
}

/**
 * Returns why archives were chosen, and what was passed over for them: of each Solution, and of its environments.
 * `members` are those of their set.
 */
export function choicesOf(
  { active, environments: wanted }: Pick<SolutionsConfiguration, 'active' | 'environments'>,
  candidates: readonly Candidate[],
  { archives, environments }: Pick<ChosenArchives, 'archives' | 'environments'>,
  members: readonly SetMember[] = [],
): Choice[] {
  const choiceOf = (one: Candidate, reason: (others: readonly string[]) => string, environment?: string): Choice => {
    const { name, version } = one;
    const others = candidates.filter((other) => other.name === name && other.version !== version);
    const versions = others.map((other) => other.version);
    const passedOver = [...versions].sort((a, b) => compare(b, a));
    return { name: instanceName(name, environment), version, reason: reason(versions), passedOver };
  };
  const first = archives.filter((one, at) => archives.findIndex(({ name }) => name === one.name) === at);
  return first.flatMap((one) => {
    const { name, version } = one;
    const own = environments.get(name);
    if (own === undefined) {
      const isAsked = members.some(({ release, why }) => release.name === name && why !== 'wanted');
      const reason = (others: readonly string[]): string =>
        isAsked ? askedBy(name, members) : reasonFor(active.get(name) ?? 'latest', version, others);
      return [choiceOf(one, reason)];
    }
    return [
      choiceOf(one, () => 'the highest version in use, which provides what its environments share'),
      ...own.map(({ namespace, chosen }) => {
        const want = wanted.get(name)?.get(namespace) ?? 'latest';
        return choiceOf(chosen, (others) => reasonFor(want, chosen.version, others), namespace);
      }),
    ];
  });
}

/** Returns who asks for a Solution that the configuration does not want by itself. */
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
  return `the highest version${within}${passes ? ' that is not a pre-release' : ''}`;
}
