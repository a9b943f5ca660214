import { compare, valid } from 'semver';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { instanceParts, isInstanceOf } from '../../../formats/solution/environments.ts';
import type { IncomingSolution, PlannedAction, PlannedRemoval } from '../../../formats/solution/install-plan.ts';
import type { InventoryEntry } from '../../parts/clusters/index.ts';
import { placedArchives } from '../../shared/rendering/index.ts';
import { placedName } from '../../shared/solutions/sets/index.ts';
import type { InstallRead } from './plan-types.ts';

/** What removals are found by. */
export type RemovalBasis = Pick<
  InstallRead,
  'configuration' | 'cluster' | 'trust' | 'archives' | 'placements' | 'takeOver' | 'wantedBefore'
>;

/**
 * Lists what is there that an install may remove: what its configuration has brought, and what it takes from others.
 */
export function ownOf({
  configuration,
  cluster,
  takeOver = [],
}: Pick<RemovalBasis, 'configuration' | 'cluster' | 'takeOver'>): InventoryEntry[] {
  const isOwn = ({ name, configuration: by }: InventoryEntry): boolean =>
    by === configuration || takeOver.some((taken) => isInstanceOf(name, taken));
  return (cluster?.inventory ?? []).filter((entry) => entry.state !== 'removed' && isOwn(entry));
}

/** Lists what an install brings, under the names that the cluster has it by. */
export function incomingOf({ archives, placements, cluster }: RemovalBasis): IncomingSolution[] {
  return placedArchives(placements, archives).map(({ archive: { catalog }, placement }) => {
    const { metadata, images, imageBlobs } = catalog;
    const name = placedName(placement, metadata.name);
    const there = installedAs(name, cluster?.inventory);
    return {
      name,
      version: metadata.version,
      ...(there === undefined ? {} : { installed: there.version }),
      images: images.length,
      bytes: totalSize(imageBlobs),
    };
  });
}

/**
 * Finds what an install takes away for good, or turns back. `actions` are what is foreseen; without them, no objects
 * are named.
 */
export function removalsOf(basis: RemovalBasis, actions: readonly PlannedAction[]): PlannedRemoval[] {
  const brought = incomingOf(basis);
  const names = new Set(brought.map(({ name }) => name));
  // What stayed of a Solution that was removed, because others lived in it, was named when that went.
  const removedBefore = (basis.cluster?.inventory ?? []).filter(({ state }) => state === 'removed');
  const going = dataIn(actions.filter(({ solution }) => !removedBefore.some(({ name }) => name === solution)));
  const leaving = ownOf(basis).filter(({ name }) => !names.has(name));
  return [
    ...leaving.map(({ name, version }): PlannedRemoval => {
      return { solution: name, kind: 'solution', version, objects: going.get(name) ?? [] };
    }),
    ...[...going].flatMap(([name, objects]): PlannedRemoval[] =>
      leaving.some((one) => one.name === name)
        ? []
        : [{ solution: name, kind: 'data', ...versionsOf(name, brought), objects }],
    ),
    ...brought
      .filter((one) => isOlder(one, basis))
      .map(({ name }): PlannedRemoval => {
        const before = basis.wantedBefore?.get(name);
        const versions = versionsOf(name, brought);
        return {
          solution: name,
          kind: 'downgrade',
          ...(before === undefined ? {} : { version: before }),
          ...versions,
          objects: [],
        };
      }),
  ];
}

function versionsOf(name: string, brought: readonly IncomingSolution[]): Pick<PlannedRemoval, 'version' | 'to'> {
  const one = brought.find((other) => other.name === name);
  if (one === undefined) return {};
  return { ...(one.installed === undefined ? {} : { version: one.installed }), to: one.version };
}

function installedAs(name: string, inventory: readonly InventoryEntry[] = []): InventoryEntry | undefined {
  return inventory.find((entry) => entry.name === name && entry.state !== 'removed');
}

/**
 * Whether the cluster has a higher version, or the configuration activated one, or this machine remembers a later
 * release.
 */
function isOlder({ name, version, installed }: IncomingSolution, basis: RemovalBasis): boolean {
  const { trust, archives, cluster } = basis;
  // What a cluster has counts more than what it was to have.
  const before = installed ?? basis.wantedBefore?.get(name);
  // What was loaded from a folder has a version that is none of SemVer.
  if (before !== undefined && valid(before) !== null && compare(version, before) < 0) return true;
  if (trust === 'skip') return false;
  const own = instanceParts(name).name;
  const { metadata, root } = archives.find(
    ({ catalog }) => catalog.metadata.name === own && catalog.metadata.version === version,
  )!.catalog;
  const known = trust.basis.memory.solutions.get(own)?.sequence;
  const isThere = (cluster?.inventory ?? []).some((entry) => entry.root === root.digest && entry.state !== 'removed');
  return known !== undefined && (metadata.sequence ?? 0) < known && !isThere;
}

/** Kinds of objects that data goes with. Definitions stay, whatever is no longer wanted. */
const holding = ['PersistentVolumeClaim', 'Namespace', 'CustomResourceDefinition'];

/** Objects that hold data and go, by Solution. */
function dataIn(actions: readonly PlannedAction[]): Map<string, string[]> {
  const going = actions.filter(
    ({ action, subject, solution }) =>
      (action === 'remove' || action === 'replace') &&
      solution !== undefined &&
      holding.includes(subject.slice(0, subject.indexOf('/'))),
  );
  const bySolution = Map.groupBy(going, ({ solution }) => solution!);
  return new Map([...bySolution].map(([name, own]) => [name, own.map(({ subject }) => subject)]));
}
