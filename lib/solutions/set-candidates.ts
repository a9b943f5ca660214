import type { InstalledRelease, World } from '../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { type Release, relationsOf } from '../../formats/solution/relations.ts';
import { NONE } from '../../formats/solution/wanted-version.ts';
import type { InventoryEntry } from '../clusters/kind.ts';
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
}

/** Makes the world that the archives of a configuration and a cluster are. */
export function worldOf(
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  { inventory, kubernetes }: SetSurroundings,
): World<ArchiveRelease> {
  const names = new Set([...opened.map(({ name }) => name), ...configuration.active.keys()]);
  const wants = [...names].flatMap((name): [string, string][] => {
    const wanted = wantedOf(configuration, name);
    return wanted === undefined ? [] : [[name, wanted]];
  });
  return {
    candidates: opened.map(releaseOf),
    wants: new Map(wants),
    barred: new Set([...configuration.active].flatMap(([name, wanted]) => (wanted === NONE ? [name] : []))),
    installed: installedIn(inventory.filter((entry) => isOthers(entry, configuration.name))),
    present: installedIn(inventory),
    kubernetes,
  };
}

function releaseOf(opened: OpenedArchive): ArchiveRelease {
  const { metadata } = opened.archive.catalog;
  const { name, version, kubernetes } = metadata;
  return { name, version, kubernetes, ...relationsOf(metadata), opened };
}

/** Tells whether another configuration has brought a Solution, and has not removed it. */
export function isOthers({ configuration }: InventoryEntry, own: string): boolean {
  return configuration !== own && configuration !== '';
}

/** Lists the Solutions of an inventory that were not removed. */
export function installedIn(inventory: readonly InventoryEntry[]): InstalledRelease[] {
  return inventory.flatMap(({ name, version, configuration, state, relations }) =>
    state === 'removed' ? [] : [{ release: { name, version, ...relations }, configuration }],
  );
}

/** Writes a version of Kubernetes that somebody asked for in full: `1.33` as `1.33.0`; undefined where it is none. */
export function fullVersion(asked: string | undefined): string | undefined {
  const [, minor, patch = '.0'] = /^v?(\d+\.\d+)(\.\d+)?/.exec(asked ?? '') ?? [];
  return minor === undefined ? undefined : `${minor}${patch}`;
}
