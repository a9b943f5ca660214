import { valid } from 'semver';
import { isSemVer } from '../solution/names.ts';
import { MOST_SKIPS, type UpgradeBound } from '../solution/upgrade.ts';
import type { OperatorBundle } from './read.ts';
import { packageRange } from './version-range.ts';

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
 * of which the version is what follows `.v`.
 */
export function bundleUpgrade({ operator, packageName }: OperatorBundle): BundleUpgrade {
  const { replaces, skips, annotations, version } = operator;
  if (valid(version ?? null) === null) return { upgrade: undefined, left: [] };
  const left: string[] = [];
  const named = (field: string, name: string): string[] => {
    const found = versionInName(name);
    if (found === undefined) left.push(`${field} ${name}, which names no version`);
    return found === undefined ? [] : [found];
  };
  const range = annotations[SKIP_RANGE];
  const within = range === undefined ? undefined : packageRange(range);
  const from = [
    ...(replaces === undefined ? [] : named('replaces', replaces)),
    ...(within === undefined ? [] : [within]),
  ];
  if (range !== undefined && within === undefined) left.push(`${SKIP_RANGE} ${range}, which is not a range`);
  const skipped = [...new Set(skips.flatMap((name) => named('skips', name)))].slice(0, MOST_SKIPS);
  // What has no edge but skipped ones is reached from these alone.
  const [first, ...rest] = from.length > 0 ? from : skipped;
  if (first === undefined) return { upgrade: undefined, left };
  const bound = { from: [first, ...rest].join(' || '), ...(skipped.length === 0 ? {} : { skips: skipped }) };
  return { upgrade: { [packageName]: bound }, left };
}

/** The version in the name of a ClusterServiceVersion: `cache.v1.2.3`. */
export function versionInName(name: string): string | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const rest = name.slice(dot + 1).replace(/^v/, '');
    if (isSemVer(rest)) return rest;
  }
  return undefined;
}
