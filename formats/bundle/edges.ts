import { isSemVer } from '../solution/names.ts';
import { MOST_SKIPS, type UpgradeBound } from '../solution/upgrade.ts';
import { isVersionRange, RANGE } from '../solution/wanted-version.ts';
import { packageRange } from './version-range.ts';

/** How a bundle comes after others: names of bundles, and a range of versions (OLM, "Creating an Update Graph"). */
export interface BundleEdges {
  readonly replaces?: string | undefined;
  readonly skips?: readonly string[] | undefined;
  readonly skipRange?: string | undefined;
}

/** What edges come to. */
export interface EdgeBound {
  /** Undefined where they bound nothing. */
  readonly bound: UpgradeBound | undefined;
  /** What they say and what cannot be kept, in words. */
  readonly left: readonly string[];
}

/**
 * Returns over which versions a bundle may be installed: that of `replaces`, those of `skips`, and those in
 * `skipRange`. `versionOf` returns the version of the bundle of a name.
 */
export function edgeBound(
  { replaces, skips = [], skipRange }: BundleEdges,
  versionOf: (name: string) => string | undefined,
): EdgeBound {
  const left: string[] = [];
  const named = (field: string, name: string): string[] => {
    const found = versionOf(name);
    if (found === undefined) left.push(`${field} ${name}, which names no version`);
    return found === undefined ? [] : [found];
  };
  const replaced = replaces === undefined ? [] : named('replaces', replaces);
  const read = skipRange === undefined ? undefined : packageRange(skipRange);
  const within = read !== undefined && isKeepable(read) ? read : undefined;
  if (skipRange !== undefined && within === undefined) {
    left.push(`olm.skipRange ${skipRange}, which ${read === undefined ? 'is not a range' : 'no archive can state'}`);
  }
  const skipped = [...new Set(skips.flatMap((name) => named('skips', name)))].slice(0, MOST_SKIPS);
  const from = [...replaced, ...(within === undefined ? [] : [within])];
  // What has no edge but skipped ones is reached from these alone.
  const [first, ...rest] = from.length > 0 ? from : skipped.slice(0, 1);
  if (first === undefined) return { bound: undefined, left };
  const joined = [first, ...rest].join(' || ');
  if (!isKeepable(joined)) left.push(`olm.skipRange ${skipRange}, which is too long`);
  const bound = { from: isKeepable(joined) ? joined : first, ...(skipped.length === 0 ? {} : { skips: skipped }) };
  return { bound, left };
}

/** Whether archives and locks can have a range, or a version in its place. */
function isKeepable(range: string): boolean {
  return isSemVer(range) || (RANGE.test(range) && isVersionRange(range));
}

/** The version in the name of a ClusterServiceVersion: `cache.v1.2.3`. */
export function versionInName(name: string): string | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const rest = name.slice(dot + 1).replace(/^v/, '');
    if (isSemVer(rest)) return rest;
  }
  return undefined;
}
