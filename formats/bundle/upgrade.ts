import { valid } from 'semver';
import type { UpgradeBound } from '../solution/upgrade.ts';
import { edgeBound, versionInName } from './edges.ts';
import type { OperatorBundle } from './read.ts';

/** The annotation by which a bundle names the versions that it may come after. */
const SKIP_RANGE = 'olm.skipRange';

/** Over which versions of its package a bundle may be installed. */
export interface BundleUpgrade {
  /** By its package; undefined where it says nothing that bounds it. */
  readonly upgrade: Readonly<Record<string, UpgradeBound>> | undefined;
  /** What it says and what cannot be kept, in words. */
  readonly left: readonly string[];
}

/**
 * Tells over which versions a bundle may be installed: that of `replaces`, those of `skips`, and those in
 * `olm.skipRange` (Operator Framework, "Creating an update graph"). The first two are names of ClusterServiceVersions,
 * of which the version is what follows `.v`. If the bundle is of a catalog, only what its channel says counts.
 */
export function bundleUpgrade(
  { operator, packageName }: OperatorBundle,
  ofChannel?: UpgradeBound | undefined,
): BundleUpgrade {
  const { replaces, skips, annotations, version } = operator;
  if (valid(version ?? null) === null) return { upgrade: undefined, left: [] };
  const { bound, left } =
    ofChannel === undefined
      ? edgeBound({ replaces, skips, skipRange: annotations[SKIP_RANGE] }, versionInName)
      : { bound: Object.keys(ofChannel).length === 0 ? undefined : ofChannel, left: [] };
  return { upgrade: bound && { [packageName]: bound }, left };
}
