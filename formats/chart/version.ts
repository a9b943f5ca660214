import { compare, parse, Range, type SemVer, satisfies } from 'semver';

// Helm's reader of versions also takes `v1`, `1` and `1.2`; what follows `-` and `+` is as in SemVer 2.0.0.
const grammar = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9A-Za-z.-]{1,100})?(\+[0-9A-Za-z.-]{1,100})?$/;

/** Most characters of a range that is read: the time that longer ones take is better spent otherwise. */
const LONGEST = 1024;

/** Whether Helm accepts `version` as the version of a chart. */
export function isChartVersion(version: string): boolean {
  return readChartVersion(version) !== undefined;
}

/**
 * Whether `version` lies in `range`, written as Helm writes ranges: comparisons joined by comma or space, `||`
 * between alternatives, `^ ~ x *` and hyphens as usual, `!=` to exclude one. An empty range takes any version.
 */
export function versionSatisfies(version: string, range: string): boolean {
  if (range.length > LONGEST) return false;
  const found = readChartVersion(version);
  if (!found) return false;
  return range.split('||').some((part) => holds(found, part));
}

/**
 * Returns the highest of `versions` that lies in `range`, as it is written; undefined where none does. One that is
 * spelled as the range is taken before all others. Those that Helm cannot read are passed over, however they are
 * spelled, and of those that differ in build metadata alone the first one counts.
 */
export function highestVersion(versions: readonly string[], range: string): string | undefined {
  if (isChartVersion(range) && versions.includes(range)) return range;
  let highest: { readonly written: string; readonly value: SemVer } | undefined;
  for (const written of versions) {
    const value = readChartVersion(written);
    if (value === undefined || (highest !== undefined && compare(value, highest.value) <= 0)) continue;
    if (versionSatisfies(written, range)) highest = { written, value };
  }
  return highest?.written;
}

/** Whether a range names one version only: in full, without any operator. */
export function isExactVersion(range: string): boolean {
  return /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+]|$)/.test(range) && isChartVersion(range);
}

/** Reads a version as Helm does: also `v1`, `1` and `1.2`; undefined for what is none. */
export function readChartVersion(version: string): SemVer | undefined {
  const match = grammar.exec(version);
  if (!match) return undefined;
  const [, major, minor = '0', patch = '0', pre = '', build = ''] = match;
  const plain = [major, minor, patch].map(Number).join('.');
  return parse(`${plain}${pre}${build}`) ?? undefined;
}

function holds(version: SemVer, part: string): boolean {
  const excluded: string[] = [];
  const rest = part.replaceAll(',', ' ').replace(/!=\s*(\S+)/g, (_, one: string) => {
    excluded.push(one);
    return ' ';
  });
  // Helm counts pre-releases as soon as one of the comparisons names one, and fills short versions up: `>=1.19-0`.
  const includePrerelease = /\d-[0-9A-Za-z]/.test(part);
  const full = rest.replace(/(^|[\s<>=~^v])(\d+)(\.\d+)?(?=-[0-9A-Za-z])/g, (_, before, major, minor = '.0') => {
    return `${before}${major}${minor}.0`;
  });
  try {
    const range = new Range(full.trim(), { includePrerelease });
    return range.test(version) && !excluded.some((one) => satisfies(version, new Range(one)));
  } catch {
    return false;
  }
}
