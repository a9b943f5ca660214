import { compare, minVersion, valid } from 'semver';
import { rangeOfBoth } from '../solution/joined-relations.ts';
import type { Release } from '../solution/relations.ts';
import { boundWords, isSkipped, mayFollow } from '../solution/upgrade.ts';
import type { Barrier, UpgradeWay } from './upgrade-way.ts';

/**
 * Finds why a version cannot be installed over what is there; undefined where it can. What is as high or lower is
 * bounded by nothing: who wrote it did not know what came later.
 */
export function barrierTo(release: Release, standing: Release): Barrier | undefined {
  const { upgrade } = release;
  if (upgrade === undefined || !isAbove(release.version, standing.version)) return undefined;
  if (!mayFollow(upgrade, standing.version)) {
    return { of: standing.name, over: boundWords(upgrade), present: standing.version };
  }
  for (const [of, bound] of Object.entries(upgrade.provides ?? {})) {
    const present = standing.provides?.[of];
    const own = release.provides?.[of];
    if (present === undefined || own === undefined || !isAbove(own, present)) continue;
    if (!mayFollow(bound, present)) return { of, over: boundWords(bound), present };
  }
  return undefined;
}

/** Returns whether both are versions, and the first one is higher. */
export function isAbove(version: string, other: string): boolean {
  return valid(version) !== null && valid(other) !== null && compare(version, other) > 0;
}

/**
 * Finds the shortest way from what is there to a version, by the versions that there are, of ways as short as others by
 * the highest. Where there is none, the way that one more archive would make; undefined where no archive would.
 */
export function wayTo(target: Release, releases: readonly Release[], standing: Release): UpgradeWay | undefined {
  const steps = steppingStones(target, releases, standing);
  const next = nearest(target, steps);
  const leads = (from: Release): string[] => {
    const versions: string[] = [];
    for (let at: Release | undefined = from; at !== undefined; at = next.get(at)) versions.push(at.version);
    return versions;
  };
  const leading = [target, ...steps].filter((one) => next.has(one));
  const known = shortest(leading.filter((one) => isOpen(one, standing)).map(leads));
  if (known !== undefined) return { versions: [standing.version, ...known], missing: undefined };
  const lacking = leading
    .flatMap((one) => {
      const missing = missingBefore(one, standing);
      return missing === undefined ? [] : [{ missing, versions: [missing.version, ...leads(one)] }];
    })
    .sort((a, b) => b.versions.length - a.versions.length)[0];
  if (lacking === undefined) return undefined;
  return { versions: [standing.version, ...lacking.versions], missing: lacking.missing.range };
}

/**
 * Finds the versions by which one gets from what is there to the first of some targets that can be reached at all, and
 * how many steps are left from each, that one and the version that is there among them. Undefined where none can.
 */
export function stepsLeft<One extends Release>(
  targets: readonly One[],
  releases: readonly One[],
  standing: Release,
): ReadonlyMap<One, number> | undefined {
  for (const target of targets) {
    if (!isAbove(target.version, standing.version)) continue;
    const next = nearest(target, steppingStones(target, releases, standing));
    const left = (one: Release): number => {
      let count = 0;
      for (let at = next.get(one); at !== undefined; at = next.get(at)) count += 1;
      return count;
    };
    const leading = releases.filter((one) => next.has(one) && isOpen(one, standing));
    if (leading.length === 0) continue;
    const counts = leading.map((one): [One, number] => [one, left(one)]);
    const same = releases.filter(({ version }) => version === standing.version);
    const most = Math.min(...counts.map(([, count]) => count)) + 1;
    return new Map([...counts, ...same.map((one): [One, number] => [one, most])]);
  }
  return undefined;
}

/** The versions between both that an upgrade may go by, the highest first. */
function steppingStones(target: Release, releases: readonly Release[], standing: Release): Release[] {
  return releases
    .filter(
      (one) =>
        isAbove(one.version, standing.version) &&
        isAbove(target.version, one.version) &&
        !releases.some((other) => other.upgrade !== undefined && isSkipped(other.upgrade, one.version)),
    )
    .sort((a, b) => compare(b.version, a.version));
}

/** By versions from which one gets to a target: the one that comes next; undefined behind the target. */
function nearest(target: Release, steps: readonly Release[]): Map<Release, Release | undefined> {
  const next = new Map<Release, Release | undefined>([[target, undefined]]);
  // What is added while this continues is gone through as well.
  for (const to of next.keys()) {
    for (const from of steps)
      if (!next.has(from) && isAbove(to.version, from.version) && isOpen(to, from)) next.set(from, to);
  }
  return next;
}

function isOpen(release: Release, standing: Release): boolean {
  return barrierTo(release, standing) === undefined;
}

function shortest(ways: readonly string[][]): string[] | undefined {
  return ways.reduce<string[] | undefined>((best, way) => (best && best.length <= way.length ? best : way), undefined);
}

/** A version over which another one may be installed, above what is there; undefined where none is known. */
function missingBefore(
  { upgrade, version }: Release,
  standing: Release,
): { readonly version: string; readonly range: string } | undefined {
  const from = upgrade?.from;
  if (from === undefined || mayFollow(upgrade!, standing.version)) return undefined;
  const lowest = minVersion(rangeOfBoth(from, `>${standing.version}`))?.version;
  return lowest === undefined || !isAbove(version, lowest) ? undefined : { version: lowest, range: from };
}

/** Says a way: `1.2.0 → 1.4.0 → 2.0.0`. */
export function wayWords({ versions }: UpgradeWay): string {
  return versions.join(' → ');
}

/** Says why a version is held back, and how to get there. */
export function heldBackWords(version: string, barrier: Barrier, way: UpgradeWay | undefined): string {
  const { of, over, present } = barrier;
  const why = `${version} can be installed over ${of} ${over} only, and the cluster has ${of} ${present}`;
  if (way === undefined) return why;
  const need = way.missing === undefined ? '' : `, for which an archive in ${way.missing} is missing`;
  return `${why}: the way is ${wayWords(way)}${need}`;
}
