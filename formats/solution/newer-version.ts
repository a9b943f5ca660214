import { compare, type SemVer } from 'semver';
import { highestVersion, isExactVersion, readChartVersion } from '../chart/version.ts';

/** What bounds the choice of a newer version. */
export interface VersionBounds {
  /** Whether the range and the major version may be left. */
  readonly latest: boolean;
  /** Whether pre-releases count beside an exact version. A range says that by itself, as in Helm. */
  readonly preReleases: boolean;
}

/** The newer versions that there are. */
export interface NewerVersion {
  /** The highest within the bounds that is higher than the current one; undefined where there is none. */
  readonly version: string | undefined;
  /** The highest beyond the bounds, if it is higher than both; undefined where there is none. */
  readonly beyond: string | undefined;
}

/**
 * Chooses among versions of a chart or an artifact. `wanted` is what a definition says: a range, one version, or
 * nothing; `current` is the version that is used now, undefined where that is not known. One exact version may rise
 * within its major version, and below 1.0.0 within its minor version, as `^` says.
 */
export function newerVersion(
  versions: readonly string[],
  wanted: string | undefined,
  current: string | undefined,
  { latest, preReleases }: VersionBounds,
): NewerVersion {
  const isExact = wanted !== undefined && isExactVersion(wanted);
  const base = current === undefined ? undefined : readChartVersion(current);
  const highest = isExact
    ? highestWithin(versions, readChartVersion(wanted)!, preReleases, latest)
    : highestVersion(versions, latest ? '' : (wanted ?? ''));
  const overall = isExact
    ? highestWithin(versions, readChartVersion(wanted)!, preReleases, true)
    : highestVersion(versions, '');
  const version = isHigher(highest, base) ? highest : undefined;
  const reached = version === undefined ? base : readChartVersion(version);
  return { version, beyond: isHigher(overall, reached) ? overall : undefined };
}

function isHigher(version: string | undefined, base: SemVer | undefined): boolean {
  const value = version === undefined ? undefined : readChartVersion(version);
  return value !== undefined && (base === undefined || compare(value, base) > 0);
}

function highestWithin(
  versions: readonly string[],
  base: SemVer,
  preReleases: boolean,
  latest: boolean,
): string | undefined {
  let highest: { readonly written: string; readonly value: SemVer } | undefined;
  for (const written of versions) {
    const value = readChartVersion(written);
    if (value === undefined || compare(value, highest?.value ?? base) <= 0) continue;
    if (!latest && !isCompatible(value, base)) continue;
    if (preReleases || value.prerelease.length === 0 || isSamePreRelease(value, base)) highest = { written, value };
  }
  return highest?.written;
}

/** Whether a version is one that `^BASE` means. */
function isCompatible(version: SemVer, base: SemVer): boolean {
  if (version.major !== base.major) return false;
  if (base.major > 0) return true;
  return version.minor === base.minor && (base.minor > 0 || version.patch === base.patch);
}

/** Whether both are pre-releases of the same version: who uses one takes the next one. */
function isSamePreRelease(version: SemVer, base: SemVer): boolean {
  const isSame = version.major === base.major && version.minor === base.minor && version.patch === base.patch;
  return base.prerelease.length > 0 && isSame;
}

/**
 * Returns a range in the same form that takes `version`: `^1.2` becomes `^2.0`. Undefined for ranges of other forms
 * than `1`, `1.2`, `1.x`, `^1.2` and `~1.2.3`.
 */
export function raisedRange(range: string, version: string): string | undefined {
  const match = /^([~^]?)(v?)(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/.exec(range.trim());
  const value = readChartVersion(version);
  if (!match || value === undefined || value.prerelease.length > 0) return undefined;
  const [, sign = '', letter = '', , minor, patch] = match;
  const number = (written: string | undefined, now: number): string[] =>
    written === undefined ? [] : [/\d/.test(written) ? String(now) : written];
  const numbers = [String(value.major), ...number(minor, value.minor), ...number(patch, value.patch)];
  return `${sign}${letter}${numbers.join('.')}`;
}
