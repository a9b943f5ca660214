import { parse, Range, type SemVer, satisfies } from 'semver';

// Helm's reader of versions also takes `v1`, `1` and `1.2`; what follows `-` and `+` is as in SemVer 2.0.0.
const grammar = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9A-Za-z.-]{1,100})?(\+[0-9A-Za-z.-]{1,100})?$/;

/** Whether Helm accepts `version` as the version of a chart. */
export function isChartVersion(version: string): boolean {
  return semver(version) !== undefined;
}

/**
 * Whether `version` lies in `range`, written as Helm writes ranges: comparisons joined by comma or space, `||`
 * between alternatives, `^ ~ x *` and hyphens as usual, `!=` to exclude one. An empty range takes any version.
 */
export function versionSatisfies(version: string, range: string): boolean {
  const found = semver(version);
  if (!found) return false;
  return range.split('||').some((part) => holds(found, part));
}

function semver(version: string): SemVer | undefined {
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
  try {
    return satisfies(version, new Range(rest.trim())) && !excluded.some((one) => satisfies(version, new Range(one)));
  } catch {
    return false;
  }
}
