import {
  installsBeside,
  matchOutside,
  type OutsideInstall,
  outsideNames,
} from '../../../../formats/resolve/outside.ts';
import type { World } from '../../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import { type Release, relationsOf } from '../../../../formats/solution/relations.ts';
import { isInRange, isVersionRange, LATEST, NONE } from '../../../../formats/solution/wanted-version.ts';
import { type InventoryEntry, installedIn, withoutServed } from '../../../parts/clusters/index.ts';
import { wantedOf } from './choose.ts';
import type { OpenedArchive } from './opened.ts';

/** An archive, as one of those that a set is chosen from. */
export interface ArchiveRelease extends Release {
  readonly opened: OpenedArchive;
}

/** What a cluster has, as far as a set depends on it. */
export interface SetSurroundings {
  readonly inventory: readonly InventoryEntry[];
  /** Of Kubernetes; undefined where it does not count. */
  readonly kubernetes: string | undefined;
  /** What its API server serves; left out: nothing is known. Of it, kinds as `group/version/Kind` count. */
  readonly served?: readonly string[] | undefined;
  /** What others have installed in it, by other programs. Left out: nothing. */
  readonly outside?: readonly OutsideInstall[] | undefined;
}

/** Makes the world that the archives of a configuration and a cluster are. */
export function worldOf<One extends Release>(
  configuration: SolutionsConfiguration,
  candidates: readonly One[],
  surroundings: SetSurroundings,
): World<One> {
  const { inventory, kubernetes, served = [] } = surroundings;
  const own = kindsOfOurs(configuration, candidates, inventory);
  const outside = new Set(served.filter((kind) => !own.has(kind)));
  const installs = outsideInstalls(configuration, candidates, surroundings);
  const names = new Set([...candidates.map(({ name }) => name), ...configuration.active.keys()]);
  const environments = new Map(
    [...configuration.environments].filter(([name]) => configuration.active.get(name) !== NONE),
  );
  const unplaced = [...environments].flatMap(([name, own]) =>
    own.size === 0 && wantedOf(configuration, name) === undefined ? [name] : [],
  );
  const wants = [...names].flatMap((name): [string, string][] => {
    const wanted = wantedOf(configuration, name);
    return wanted === undefined ? [] : [[name, wanted]];
  });
  return {
    candidates: candidates.map((one) => matchOutside(withoutServed(one, outside), installs).rest),
    wants: new Map(wants),
    environments,
    barred: new Set([
      ...[...configuration.active].flatMap(([name, wanted]) => (wanted === NONE ? [name] : [])),
      ...unplaced,
    ]),
    installed: installedIn(inventory.filter((entry) => isOthers(entry, configuration.name))),
    present: installedIn(inventory),
    kubernetes,
  };
}

/**
 * Returns what others have installed, as far as it counts: under names that neither a Solution of the cluster has or
 * brings, nor one that comes in any case.
 */
export function outsideInstalls(
  configuration: SolutionsConfiguration,
  candidates: readonly Release[],
  { inventory, outside = [] }: Pick<SetSurroundings, 'inventory' | 'outside'>,
): readonly OutsideInstall[] {
  return outside.length === 0 ? [] : installsBeside(outside, namesOfOurs(configuration, candidates, inventory));
}

/** Returns whether an archive requires a name that only an install of others could meet, if no other archive does. */
export function asksOutside(
  configuration: SolutionsConfiguration,
  candidates: readonly Release[],
  { inventory, served = [] }: Pick<SetSurroundings, 'inventory' | 'served'>,
): boolean {
  const known = new Set([...namesOfOurs(configuration, candidates, inventory), ...served]);
  return candidates.some((one) => outsideNames(one).some((name) => !known.has(name)));
}

/** Lists the names, and what they bring, of Solutions that the cluster has, and of those that come in any case. */
function namesOfOurs(
  configuration: SolutionsConfiguration,
  candidates: readonly Release[],
  inventory: readonly InventoryEntry[],
): ReadonlySet<string> {
  const there = inventory.flatMap(({ name, state }) => (state === 'removed' ? [] : [instanceParts(name).name]));
  const coming = candidates.flatMap(({ name }) => (wantedOf(configuration, name) === undefined ? [] : [name]));
  return new Set([...kindsOfOurs(configuration, candidates, inventory), ...there, ...coming]);
}

/** Makes an archive one of those that a set is chosen from. */
export function releaseOf(opened: OpenedArchive): ArchiveRelease {
  return { ...releaseIn(opened.archive.catalog.metadata), opened };
}

/** Takes out of the metadata of an archive what a set depends on. */
export function releaseIn(metadata: Release): Release {
  const { name, version, kubernetes, upgrade } = metadata;
  return { name, version, kubernetes, ...(upgrade && { upgrade }), ...relationsOf(metadata) };
}

/**
 * Lists the kinds that a cluster serves no longer, or otherwise, once the set is there: those of Solutions that it has,
 * which may go, and those of Solutions that come in any case. An archive of which nothing is there, and that need not
 * be active, changes nothing.
 */
function kindsOfOurs(
  configuration: SolutionsConfiguration,
  candidates: readonly Release[],
  inventory: readonly InventoryEntry[],
): ReadonlySet<string> {
  const provided = (one: Release | InventoryEntry['relations']): string[] => Object.keys(one?.provides ?? {});
  // A kind of a Solution that goes, or has gone, may be served for as long as objects of it are there.
  const there = inventory.flatMap((entry) => [
    ...provided(entry.relations),
    // Releases before this one do not tell in the cluster which kinds they define.
    ...candidates.flatMap((one) => (isReleaseOf(entry, one) ? provided(one) : [])),
  ]);
  const coming = [...Map.groupBy(candidates, ({ name }) => name)].flatMap(([name, versions]) => {
    const wanted = wantedOf(configuration, name);
    if (wanted === undefined) return [];
    const [first = [], ...others] = versions.filter(({ version }) => isWanted(version, wanted)).map(provided);
    return first.filter((kind) => others.every((one) => one.includes(kind)));
  });
  return new Set([...there, ...coming]);
}

function isReleaseOf(entry: InventoryEntry, { name, version }: Release): boolean {
  return instanceParts(entry.name).name === name && entry.version === version;
}

function isWanted(version: string, wanted: string): boolean {
  return wanted === LATEST || (isVersionRange(wanted) ? isInRange(version, wanted) : version === wanted);
}

/** Returns whether another configuration has brought a Solution, and has not removed it. */
export function isOthers({ configuration }: InventoryEntry, own: string): boolean {
  return configuration !== own && configuration !== '';
}

/** Writes a version of Kubernetes that somebody asked for in full: `1.33` as `1.33.0`; undefined where it is none. */
export function fullVersion(asked: string | undefined): string | undefined {
  const [, minor, patch = '.0'] = /^v?(\d+\.\d+)(\.\d+)?/.exec(asked ?? '') ?? [];
  return minor === undefined ? undefined : `${minor}${patch}`;
}
