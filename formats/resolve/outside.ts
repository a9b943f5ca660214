import { satisfies, valid } from 'semver';
import type { OutsideNeed } from '../solution/outside-need.ts';
import type { Ranges, Relations } from '../solution/relations.ts';

/** Something in a cluster that others have installed, by other programs. */
export interface OutsideInstall {
  readonly kind: 'Helm release' | 'ClusterServiceVersion';
  readonly namespace: string;
  readonly name: string;
  /** Versions by the names that they are asked for by. */
  readonly offers: Readonly<Record<string, string>>;
}

/** What of a Solution's requirements is met from outside, and what is left of them. */
export interface OutsideMatch<One extends Relations> {
  readonly rest: One;
  readonly needs: readonly OutsideNeed[];
}

/** Names an install of others in messages. */
export function outsideWords({ kind, namespace, name }: OutsideInstall): string {
  return `the ${kind} ${namespace}/${name}`;
}

/**
 * Lists the names that a Solution requires or recommends and that an install of others can have: those of packages and
 * charts, which have no slash in them, and `helm/CHART`.
 */
export function outsideNames({ requires = {}, anyOf = [], recommends = {} }: Relations): string[] {
  const names = [requires, ...anyOf, recommends].flatMap((ranges) => Object.keys(ranges));
  return names.filter((name) => !name.replace(/^helm\//, '').includes('/'));
}

/**
 * Leaves out what installs of others offer under a name of a Solution, or of what a Solution brings: solpack answers
 * for that itself.
 */
export function installsBeside(installs: readonly OutsideInstall[], ours: ReadonlySet<string>): OutsideInstall[] {
  return installs.map((one) => ({
    ...one,
    offers: Object.fromEntries(Object.entries(one.offers).filter(([name]) => !ours.has(name))),
  }));
}

/** The version under a name that others chose, such as `constructor`. */
function offered(offers: OutsideInstall['offers'], name: string): string | undefined {
  return Object.hasOwn(offers, name) ? offers[name] : undefined;
}

/** Leaves out of what a Solution requires and recommends what installs of others meet. */
export function matchOutside<One extends Relations>(
  release: One,
  installs: readonly OutsideInstall[],
): OutsideMatch<One> {
  if (installs.length === 0) return { rest: release, needs: [] };
  const needs: OutsideNeed[] = [];
  const isMet = (kind: OutsideNeed['kind'], name: string, range: string): boolean => {
    const found = installs.find(({ offers }) => lies(offered(offers, name), range));
    if (found) needs.push({ kind, name, range, version: found.offers[name]!, by: outsideWords(found) });
    return found !== undefined;
  };
  const { requires, anyOf, recommends } = release;
  const left = (kind: OutsideNeed['kind'], ranges: Ranges): Ranges =>
    Object.fromEntries(Object.entries(ranges).filter(([name, range]) => !isMet(kind, name, range)));
  const rest = {
    ...release,
    ...(requires && { requires: left('requires', requires) }),
    ...(recommends && { recommends: left('recommends', recommends) }),
    ...(anyOf && {
      anyOf: anyOf.filter((ranges) => !Object.entries(ranges).some(([name, range]) => isMet('any-of', name, range))),
    }),
  };
  return { rest, needs };
}

/** Says of what is required and was installed by others, in which other versions that is. */
export function unmetOutside(release: Relations, installs: readonly OutsideInstall[]): string[] {
  return [release.requires ?? {}, ...(release.anyOf ?? [])].flatMap((ranges) =>
    Object.entries(ranges).flatMap(([name, range]) =>
      installs.flatMap((one) => {
        const version = offered(one.offers, name);
        if (version === undefined || lies(version, range)) return [];
        return [`${name} ${version} of ${outsideWords(one)}, which solpack did not install, is not in ${range}.`];
      }),
    ),
  );
}

/** Pre-releases are in a range as for Solutions. */
function lies(version: string | undefined, range: string): boolean {
  return version !== undefined && valid(version) !== null && satisfies(version, range);
}
