import { compare, intersects, prerelease, satisfies } from 'semver';
import type { World } from '../../formats/resolve/world.ts';
import { kubernetesSatisfies } from '../../formats/solution/kubernetes-range.ts';
import type { Ranges, Release } from '../../formats/solution/relations.ts';
import type { UpgradeBound } from '../../formats/solution/upgrade.ts';

/** A set by names, with what other configurations have installed. */
export type BruteSet = ReadonlyMap<string, Release>;

/** Finds the best set of a small world by looking at every one; undefined where none is valid. */
export function bestByBrute(world: World): BruteSet | undefined {
  let valid = everySet(world).filter((set) => isValid(set, world));
  if (valid.length === 0) return undefined;
  const prefer = (name: string, options: readonly (Release | undefined)[]): Release | undefined => {
    for (const option of options) {
      const own = valid.filter((set) => set.get(name) === option);
      if (own.length === 0) continue;
      valid = own;
      return option;
    }
    throw new Error('no option is left');
  };
  const fixed = installedOf(world);
  const roots = [...world.wants.keys()].sort();
  const replaced = (name: string): boolean =>
    roots.some((root) => root !== name && versionsOf(root, world).some((one) => one.replaces?.[name] !== undefined));
  const chosen: Release[] = [];
  const missing: string[] = [];
  for (const name of [...roots.filter((one) => !replaced(one)), ...roots.filter(replaced)]) {
    const release = prefer(name, [...versionsOf(name, world), undefined]);
    if (release) chosen.push(release);
    else missing.push(name);
  }
  chosen.push(...[...fixed.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  const names = [...new Set([...world.candidates.map(({ name }) => name), ...fixed.keys()])].sort();
  for (const name of missing) {
    const takesPlace = (one: Release): boolean => one.replaces?.[name] !== undefined;
    if (chosen.some(takesPlace)) continue;
    const options = names.flatMap((other) => versionsOf(other, world)).filter(takesPlace);
    const found = options.find((option) => valid.some((set) => set.get(option.name) === option))!;
    prefer(found.name, [found]);
    chosen.push(found);
  }
  for (const release of chosen) {
    const needs = [...Object.entries(release.requires ?? {}).map(([name, range]) => ({ [name]: range }))];
    for (const alternatives of [...needs, ...(release.anyOf ?? [])]) {
      const meets =
        ([name, range]: [string, string]) =>
        (one: Release) =>
          meetsAsk(one, name, range, true);
      if (Object.entries(alternatives).some((ask) => chosen.some(meets(ask)))) continue;
      const options = Object.entries(alternatives).flatMap((ask) => {
        const ordered = [ask[0], ...names.filter((name) => name !== ask[0])];
        return ordered.flatMap((name) => versionsOf(name, world)).filter(meets(ask));
      });
      const found = options.find((option) => valid.some((set) => set.get(option.name) === option))!;
      prefer(found.name, [found]);
      chosen.push(found);
    }
  }
  return new Map(chosen.map((release) => [release.name, release]));
}

/** Tells whether all that the members of a set ask for holds, and all that the world wants. */
export function isValid(set: BruteSet, world: World): boolean {
  const { wants, barred, kubernetes, candidates } = world;
  const all = [...set.values()];
  const isThere = (name: string, range: string): boolean => all.some((one) => meetsAsk(one, name, range, true));
  return (
    [...wants].every(([name, wanted]) => {
      const own = set.get(name);
      if (!own) return wanted === 'latest' && all.some((one) => one.replaces?.[name] !== undefined);
      return isWanted(own, wanted, candidates);
    }) &&
    all.every((one) => {
      const others = all.filter((other) => other !== one);
      return (
        !barred?.has(one.name) &&
        mayStandNow(one, world) &&
        (kubernetes === undefined || one.kubernetes === undefined || kubernetesSatisfies(kubernetes, one.kubernetes)) &&
        Object.entries(one.requires ?? {}).every(([name, range]) => isThere(name, range)) &&
        (one.anyOf ?? []).every((ranges) => Object.entries(ranges).some(([name, range]) => isThere(name, range))) &&
        !some(one.conflicts, (name, range) => others.some((other) => meetsAsk(other, name, range, false))) &&
        !some(one.replaces, (name, range) => others.some((it) => it.name === name && satisfies(it.version, range))) &&
        !(one.exclusive ?? []).some((capability) => others.some((other) => other.provides?.[capability]))
      );
    })
  );
}

function isWanted(own: Release, wanted: string, candidates: readonly Release[]): boolean {
  if (wanted !== 'latest') return satisfies(own.version, wanted);
  const all = candidates.filter(({ name }) => name === own.name);
  return prerelease(own.version) === null || all.every(({ version }) => prerelease(version) !== null);
}

function some(ranges: Ranges | undefined, is: (name: string, range: string) => boolean): boolean {
  return Object.entries(ranges ?? {}).some(([name, range]) => is(name, range));
}

function meetsAsk(one: Release, name: string, range: string, place: boolean): boolean {
  if (one.name === name && satisfies(one.version, range)) return true;
  const provided = one.provides?.[name];
  if (provided !== undefined && satisfies(provided, range)) return true;
  const replaced = one.replaces?.[name];
  return place && replaced !== undefined && intersects(replaced, range);
}

/** The versions of a Solution, the most wanted first. */
function versionsOf(name: string, world: World): Release[] {
  const own = installedOf(world).get(name);
  if (own) return [own];
  const wanted = world.wants.get(name);
  const last = ({ version }: Release): number =>
    wanted !== undefined && wanted !== 'latest' ? 0 : prerelease(version) ? 1 : 0;
  const all = world.candidates.filter((one) => one.name === name);
  return all.sort((a, b) => last(a) - last(b) || compare(b.version, a.version));
}

function installedOf({ installed = [], wants }: World): Map<string, Release> {
  return new Map(installed.flatMap(({ release }) => (wants.has(release.name) ? [] : [[release.name, release]])));
}

function everySet(world: World): BruteSet[] {
  const fixed = installedOf(world);
  const names = [...new Set(world.candidates.map(({ name }) => name))].filter((name) => !fixed.has(name));
  let sets: ReadonlyMap<string, Release>[] = [fixed];
  for (const name of names) {
    const versions = world.candidates.filter((one) => one.name === name);
    sets = sets.flatMap((set) => [set, ...versions.map((one) => new Map(set).set(name, one))]);
  }
  return sets;
}

/** Tells whether a release may come over what is there. */
function mayStandNow(one: Release, world: World): boolean {
  const now = world.present?.find(({ release }) => release.name === one.name)?.release;
  if (now === undefined || installedOf(world).has(one.name)) return true;
  if (isBarred(one, now)) return false;
  if (compare(one.version, now.version) >= 0) return true;
  const wanted = world.wants.get(one.name);
  const asked = world.candidates.filter(
    (other) => other.name === one.name && (wanted === undefined || isWanted(other, wanted, world.candidates)),
  );
  return !asked.some((other) => isBarred(other, now));
}

/** Tells whether a release may not be installed over another one. */
export function isBarred({ version, upgrade, provides = {} }: Release, now: Release): boolean {
  if (upgrade === undefined || compare(version, now.version) <= 0) return false;
  const refuses = ({ from, skips = [] }: UpgradeBound, present: string): boolean =>
    from !== undefined && ![from, ...skips].some((one) => satisfies(present, one, { includePrerelease: true }));
  return (
    refuses(upgrade, now.version) ||
    Object.entries(upgrade.provides ?? {}).some(([name, bound]) => {
      const [own, present] = [provides[name], now.provides?.[name]];
      return own !== undefined && present !== undefined && compare(own, present) > 0 && refuses(bound, present);
    })
  );
}
