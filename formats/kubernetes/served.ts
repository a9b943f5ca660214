import { nearest } from '../document/suggest.ts';
import kinds from './kinds.json' with { type: 'json' };
import { isInMinors, type MinorRange, minorRange, nearestMinor } from './minors.ts';

/** What is known of a kind in one version of its API, for a run of minors. */
interface KnownKind extends MinorRange {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether it is served unless somebody turns it off. */
  readonly isDefault: boolean;
}

/** Kinds by `group/version`, those of the core group by `v1`. */
const versions: ReadonlyMap<string, readonly KnownKind[]> = new Map(
  Object.entries(kinds.versions).map(([apiVersion, list]) => [apiVersion, list.split(' ').map(kindOf)]),
);

function kindOf(entry: string): KnownKind {
  const [, kind, wide, off, range] = /^(\w+)(\*?)(!?)(?:@(.*))?$/.exec(entry)!;
  return { kind: kind!, namespaced: wide === '', isDefault: off === '', ...minorRange(range) };
}

/** Kinds with the scopes that they have had, by API group. */
const groups: ReadonlyMap<string, ReadonlyMap<string, boolean>> = (() => {
  const found = new Map<string, Map<string, boolean>>();
  for (const [apiVersion, list] of versions) {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const scopes = found.get(group) ?? new Map<string, boolean>();
    found.set(group, scopes);
    for (const { kind, namespaced } of list) scopes.set(kind, namespaced);
  }
  return found;
})();

/** Returns whether Kubernetes itself has, or had, an API group; '' is the core group. */
export function isKubernetesGroup(group: string): boolean {
  return groups.has(group);
}

/** Returns whether a kind of Kubernetes itself lives in namespaces; undefined for any other kind. */
export function namespacedBy(group: string, kind: string): boolean | undefined {
  return groups.get(group)?.get(kind);
}

/**
 * Lists what an API server of a minor version of Kubernetes 1 serves by default, each `group/version` and
 * `group/version/Kind` (the core group's are `v1` and `v1/Kind`), in byte order. Minors that are not known are taken
 * for the nearest that is.
 */
export function servedByDefault(minor: number): string[] {
  const known = nearestMinor(minor);
  const found = [...versions].flatMap(([apiVersion, list]) => {
    const served = list.filter((one) => one.isDefault && isInMinors(known, one));
    return served.length === 0 ? [] : [apiVersion, ...served.map(({ kind }) => `${apiVersion}/${kind}`)];
  });
  return found.sort();
}

/**
 * Returns why an API server of this minor refuses objects of `apiVersion` and `kind`; undefined where it takes them, or
 * where the group is not one of Kubernetes itself.
 */
export function notServed(minor: number, apiVersion: string, kind: string): string | undefined {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  if (!groups.has(group)) return undefined;
  const known = nearestMinor(minor);
  const here = (versions.get(apiVersion) ?? []).filter((one) => one.kind === kind);
  const now = here.find((one) => isInMinors(known, one));
  if (now?.isDefault) return undefined;
  const what = `Kubernetes 1.${minor} does not serve ${apiVersion} ${kind}`;
  if (now) return `${what} unless it is enabled${insteadOf(known, apiVersion, kind)}`;
  const later = here.find(({ since }) => since !== undefined && since > known);
  if (later) return `${what}, which there is since 1.${later.since}${insteadOf(known, apiVersion, kind)}`;
  const earlier = here.findLast(({ until }) => until !== undefined && until < known);
  if (earlier) return `${what}, which there was until 1.${earlier.until}${insteadOf(known, apiVersion, kind)}`;
  return `${what}${insteadOf(known, apiVersion, kind)}`;
}

/** Names what this minor serves that was probably meant. */
function insteadOf(minor: number, apiVersion: string, kind: string): string {
  const served = [...versions].flatMap(([version, list]) =>
    list.filter((one) => one.isDefault && isInMinors(minor, one)).map((one) => ({ version, kind: one.kind })),
  );
  const same = served.filter((one) => one.kind === kind).map(({ version }) => version);
  if (same.length > 0) return `; it serves ${same.join(' and ')} ${kind}`;
  const near = nearest(
    kind,
    served.filter(({ version }) => version === apiVersion).map((one) => one.kind),
  );
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
