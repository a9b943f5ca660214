import { compare, valid } from 'semver';
import type { Flow } from '../../kernel/events/index.ts';
import type { InventoryEntry } from '../../parts/clusters/index.ts';
import { type Placement, placedName } from '../../shared/solutions/sets/index.ts';
import type { ReadArchive } from './archives.ts';

/** An archive as it was read, and what of it is brought where. */
interface PlacedRead {
  readonly archive: ReadArchive;
  readonly placement: Placement;
}

/** A Solution that a cluster has in a higher version. */
interface Downgrade {
  readonly name: string;
  readonly version: string;
  /** The version that the cluster has. */
  readonly from: string;
}

/**
 * Finds the Solutions that go down in version without a sequence. Where there is one, trust decides by that alone, and
 * refuses or tells (`decide` in `lib/parts/trust`).
 */
export function downgradesOf(placed: readonly PlacedRead[], inventory: readonly InventoryEntry[]): Downgrade[] {
  return placed.flatMap(({ archive, placement }) => {
    const { version, sequence, ...metadata } = archive.catalog.metadata;
    const name = placedName(placement, metadata.name);
    const there = inventory.find((entry) => entry.name === name && entry.state !== 'removed');
    // What was loaded from a folder has a version that is none of SemVer.
    if (sequence !== undefined || there === undefined || valid(there.version) === null) return [];
    return compare(version, there.version) < 0 ? [{ name, version, from: there.version }] : [];
  });
}

/**
 * Reports the Solutions that go down in version without a sequence, which somebody may have to agree to, and returns
 * their names.
 */
export function tellDowngrades(
  placed: readonly PlacedRead[],
  inventory: readonly InventoryEntry[] | undefined,
  flow: Flow,
  isAgreed = false,
): string[] {
  return downgradesOf(placed, inventory ?? []).map(({ name, version, from }) => {
    const refused = isAgreed ? '' : '; it has no sequence, so nothing refuses the downgrade';
    const message = `is a downgrade from ${from}, which the cluster has, to ${version}${refused}`;
    flow.onEvent({ type: 'notice', subject: name, message });
    return name;
  });
}
