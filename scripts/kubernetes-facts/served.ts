import type { GroupVersionKind, Release } from './release.ts';

/** A kind that an API server of a release has. */
export interface Resource extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether it is served unless somebody turns it off, rather than only where somebody turns it on. */
  readonly isDefault: boolean;
}

/** Since which minor beta versions are off unless they are listed. */
const betasOff = 24;

/** Lists the kinds of a release, subresources and lists aside. */
export function servedIn({ minor, paths, sources }: Release): Resource[] {
  const listed = minor < betasOff ? undefined : betasOnByDefault(sources.defaults());
  const found = new Map<string, Resource>();
  for (const [path, operations] of Object.entries(paths)) {
    const at = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(namespaces\/\{namespace\}\/)?([a-z]+)(?:\/\{name\})?\/?$/.exec(
      path,
    );
    const about = Object.values(operations).flatMap((one) => {
      const kind = (one as { 'x-kubernetes-group-version-kind'?: GroupVersionKind })['x-kubernetes-group-version-kind'];
      return kind ? [kind] : [];
    })[0];
    if (!at || !about) continue;
    const { group, version, kind } = about;
    const plural = at[2]!;
    const key = `${group}/${version}/${kind}`;
    const namespaced = at[1] !== undefined || (found.get(key)?.namespaced ?? false);
    const isOn = listed ? listed(group, version, plural) : wasOn(group, version, kind);
    found.set(key, { group, version, kind, plural, namespaced, isDefault: isOn });
  }
  return [...found.values()];
}

function wasOn(group: string, version: string, kind: string): boolean {
  if (version.includes('alpha')) return false;
  if (group === 'extensions') return kind === 'Ingress';
  return group !== 'apps' || version === 'v1';
}

/** Reads which beta resources are on, from the Go source of the API server's defaults. */
function betasOnByDefault(source: string): (group: string, version: string, plural: string) => boolean {
  const packages = new Map<string, string>();
  for (const [, alias, path] of source.matchAll(
    /^\s*(\w+) "k8s\.io\/(?:api|kubernetes\/pkg\/apis)\/([a-z]+\/v\w+)"$/gm,
  ))
    packages.set(alias!, path!);
  const start = source.indexOf('legacyBetaEnabledByDefaultResources = ');
  const list = start < 0 ? '' : source.slice(start, source.indexOf('\n\t}', start));
  const on = new Set<string>();
  for (const [, alias, plural] of list.matchAll(/(\w+)\.SchemeGroupVersion\.WithResource\("(\w+)"\)/g)) {
    const path = packages.get(alias!);
    if (path === undefined) throw new Error(`the defaults of the API server name ${alias}, which they do not import`);
    on.add(`${path}/${plural}`);
  }
  return (group, version, plural) => {
    if (/^v\d+$/.test(version)) return true;
    return on.has(`${group.split('.')[0]}/${version}/${plural}`);
  };
}

/**
 * Writes, for each `group/version`, its kinds over the minors: `Kind`, with `*` if it lies outside of namespaces, `!`
 * if it is off by default, and `@SINCE-UNTIL` where it is not there from the first minor to the last.
 */
export function kindRanges(served: ReadonlyMap<number, readonly Resource[]>): Record<string, string> {
  const minors = [...served.keys()].sort((a, b) => a - b);
  const [first, last] = [minors[0]!, minors.at(-1)!];
  const ranges = new Map<string, number[]>();
  for (const minor of minors) {
    for (const { group, version, kind, namespaced, isDefault } of served.get(minor)!) {
      const key = `${group === '' ? '' : `${group}/`}${version} ${kind}${namespaced ? '' : '*'}${isDefault ? '' : '!'}`;
      ranges.set(key, [...(ranges.get(key) ?? []), minor]);
    }
  }
  const versions = new Map<string, string[]>();
  for (const key of [...ranges.keys()].sort()) {
    const [version, kind] = key.split(' ') as [string, string];
    const entry = `${kind}${rangeOf(ranges.get(key)!, first, last, key)}`;
    versions.set(version, [...(versions.get(version) ?? []), entry]);
  }
  return Object.fromEntries([...versions].map(([version, kinds]) => [version, kinds.join(' ')]));
}

/** Writes a run of minors as `@SINCE-UNTIL`, without what is the same as `first` and `last`. */
export function rangeOf(minors: readonly number[], first: number, last: number, what: string): string {
  const [since, until] = [minors[0]!, minors.at(-1)!];
  if (until - since + 1 !== minors.length) throw new Error(`${what} came, went and came again`);
  if (since === first && until === last) return '';
  return `@${since === first ? '' : since}${until === last ? '' : `-${until}`}`;
}
