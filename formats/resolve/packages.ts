import { compare, prerelease } from 'semver';
import { byteOrder } from '../bytes.ts';
import { instanceName } from '../solution/environments.ts';
import { isSemVer } from '../solution/names.ts';
import type { Release } from '../solution/relations.ts';
import { isInRange, isVersionRange, LATEST } from '../solution/wanted-version.ts';
import { stepsLeft } from './upgrades.ts';
import type { World } from './world.ts';

/**
 * A Solution that a set may hold in one of several versions. Its bits are those of `releases`, and then that of its
 * absence.
 */
export interface CandidatePackage<One extends Release> {
  readonly index: number;
  readonly name: string;
  /** The most wanted first. */
  readonly releases: readonly (One | Release)[];
  readonly all: bigint;
  /** The bit that stands for its absence; 0 where it is there anyway. */
  readonly absent: bigint;
  /** What is wanted of it: undefined where it may be there or not. */
  readonly wanted: string | undefined;
  /** The Solution that this is an environment of; undefined where it is none. */
  readonly environmentOf: string | undefined;
  /** The names of its environments, which share it; undefined where it has none. */
  readonly sharedBy: readonly string[] | undefined;
  /** The configuration that has installed it; undefined where it is chosen. */
  readonly installedBy: string | undefined;
  /** What the cluster has of it now; undefined where that is nothing, or where it stays as it is. */
  readonly standing: Release | undefined;
  /**
   * Of versions by which one gets from there to what is wanted, how many steps are left then; undefined where they do
   * not count.
   */
  readonly onTheWay: ReadonlyMap<One | Release, number> | undefined;
}

/** Lists the packages of a world, in order of names. */
export function packagesOf<One extends Release>(world: World<One>): CandidatePackage<One>[] {
  const { candidates, installed = [] } = world;
  const wants = wantsOf(world);
  const instances = instancesOf(world);
  const present = new Map(world.present?.map(({ release }) => [release.name, release]));
  const byName = Map.groupBy(candidates, ({ name }) => name);
  const fixed = new Map(
    installed.filter(({ release }) => !wants.has(release.name)).map((one) => [one.release.name, one]),
  );
  const names = [...new Set([...byName.keys(), ...wants.keys(), ...fixed.keys()])].sort(byteOrder);
  return names.map((name, index): CandidatePackage<One> => {
    const own = fixed.get(name);
    const environmentOf = instances.get(name);
    if (own) {
      const { release, configuration: installedBy } = own;
      const free = { wanted: undefined, environmentOf, sharedBy: undefined };
      return {
        index,
        name,
        releases: [release],
        all: 1n,
        absent: 0n,
        ...free,
        installedBy,
        standing: undefined,
        onTheWay: undefined,
      };
    }
    const wanted = wants.get(name);
    const said = byName.get(environmentOf ?? name) ?? [];
    const renamed = environmentOf === undefined ? said : said.map((release) => ({ ...release, name }));
    const preferred = renamed.toSorted(preferring(wanted));
    const standing = present.get(name);
    const asked = wanted === undefined ? preferred : eligibleFor(wanted, preferred);
    const onTheWay = world.through && standing ? stepsLeft(asked, preferred, standing) : undefined;
    const left = (one: One | Release): number => onTheWay?.get(one) ?? Number.MAX_SAFE_INTEGER;
    const releases = onTheWay ? preferred.toSorted((a, b) => left(a) - left(b)) : preferred;
    const absent = 1n << BigInt(releases.length);
    const environments = [...instances].flatMap(([instance, of]) => (of === name ? [instance] : []));
    const sharedBy = environments.length === 0 ? undefined : environments;
    return {
      ...{ index, name, releases, all: (absent << 1n) - 1n, absent },
      ...{ wanted, environmentOf, sharedBy, installedBy: undefined, standing, onTheWay },
    };
  });
}

/** What a world wants, by the names of Solutions and of their environments. */
export function wantsOf({ wants, environments = new Map() }: World): ReadonlyMap<string, string> {
  const placed = [...environments].flatMap(([name, own]) => {
    if (own.size === 0) return [];
    const shared: [string, string] = [name, wants.get(name) ?? LATEST];
    return [shared, ...[...own].map(([at, wanted]): [string, string] => [instanceName(name, at), wanted])];
  });
  return new Map([...wants, ...placed]);
}

/** The Solutions of environments, by the names of these. */
function instancesOf({ environments = new Map() }: World): ReadonlyMap<string, string> {
  return new Map(
    [...environments].flatMap(([name, own]) =>
      [...own.keys()].map((at): [string, string] => [instanceName(name, at), name]),
    ),
  );
}

/**
 * Higher versions come first, but pre-releases after all others, unless the range that is wanted decides which of them
 * count.
 */
function preferring(wanted: string | undefined): (a: Release, b: Release) => number {
  const inRange = wanted !== undefined && isVersionRange(wanted);
  const isPre = ({ version }: Release): number => (prerelease(version) === null || inRange ? 0 : 1);
  return (a, b) => isPre(a) - isPre(b) || compare(b.version, a.version) || byteOrder(a.version, b.version);
}

/** Finds the versions that may be what is wanted: of `latest`, pre-releases only where there is nothing else. */
export function eligibleFor(wanted: string, releases: readonly Release[]): Release[] {
  if (wanted === LATEST) {
    const final = releases.filter(({ version }) => prerelease(version) === null);
    return final.length > 0 ? final : [...releases];
  }
  if (!isSemVer(wanted)) return releases.filter(({ version }) => isInRange(version, wanted));
  const same = releases.filter(({ version }) => version === wanted);
  if (same.length > 0 || wanted.includes('+')) return same;
  return releases.filter(({ version }) => compare(version, wanted) === 0);
}

/** The bits of those releases of a package that `is` is true of. */
export function bitsOf<One extends Release>(
  { releases }: CandidatePackage<One>,
  is: (release: One | Release) => boolean,
): bigint {
  return releases.reduce((bits, release, at) => (is(release) ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** The releases of a package that bits stand for. */
export function releasesOf<One extends Release>({ releases }: CandidatePackage<One>, bits: bigint): (One | Release)[] {
  return releases.filter((_, at) => (bits & (1n << BigInt(at))) !== 0n);
}

/** Finds the versions of a package that may be what is wanted of it, or that lead there. */
export function wantedOrLeading<One extends Release>(
  { releases, onTheWay }: CandidatePackage<One>,
  wanted: string,
): ReadonlySet<Release> {
  return new Set([...eligibleFor(wanted, releases), ...(onTheWay?.keys() ?? [])]);
}
