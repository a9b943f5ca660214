import type { Release } from '../solution/relations.ts';
import { given } from './clause.ts';
import type { Ask, Speakers } from './fact.ts';
import { type CandidatePackage, releasesOf } from './packages.ts';
import type { WorldRule } from './rules.ts';
import { type Searchable, searchOf } from './searchable.ts';

/** A set, as the value of each package. */
export interface Chosen {
  readonly values: readonly bigint[];
  /** The packages that were brought because of a recommendation. */
  readonly recommended: ReadonlySet<number>;
  readonly steps: number;
}

/** Adds to a set what its members recommend, one after the other, where all that was chosen by then stays as it is. */
export function withRecommended(
  searchable: Searchable,
  base: { readonly values: readonly bigint[]; readonly steps: number },
): Chosen {
  const { packages, providers } = searchable;
  let { values, steps } = base;
  const recommended = new Set<number>();
  const looked = new Set<number>();
  let asked: readonly Ask[] = [];
  for (let one = nextOf(packages, values, looked); one !== undefined; one = nextOf(packages, values, looked)) {
    looked.add(one.index);
    const [release] = releasesOf(one, values[one.index]!);
    for (const [name, range] of Object.entries(release?.recommends ?? {})) {
      const meeting = providers.meeting(name, range);
      const isMet = [...meeting].some(([about, bits]) => (values[about]! & bits) !== 0n);
      if (isMet || meeting.size === 0) continue;
      const asks = [...asked, { name, range }];
      const rule = askRule({ name: one.name, releases: [release!] }, { name, range }, meeting, packages);
      const found = searchOf(searchable, asks, [...stays(packages, values), ...rule]);
      steps += found.steps;
      if (!('values' in found)) continue;
      for (const [about, bits] of meeting) if ((found.values[about]! & bits) !== 0n) recommended.add(about);
      values = found.values;
      asked = asks;
    }
  }
  return { values, recommended, steps };
}

/** The first package by name that was chosen, and not looked at. */
function nextOf(
  packages: readonly CandidatePackage<Release>[],
  values: readonly bigint[],
  looked: ReadonlySet<number>,
): CandidatePackage<Release> | undefined {
  return packages.find(
    ({ index, absent, installedBy }) => installedBy === undefined && values[index] !== absent && !looked.has(index),
  );
}

function askRule(
  who: Speakers,
  ask: Ask,
  meeting: ReadonlyMap<number, bigint>,
  packages: readonly CandidatePackage<Release>[],
): WorldRule[] {
  const terms = new Map([...meeting].map(([about, met]) => [about, packages[about]!.all & ~met]));
  return given(terms, { kind: 'requires', who, asks: [ask] }, (about) => packages[about]!.all);
}

/** Rules by which what is there stays in its version. */
function stays(packages: readonly CandidatePackage<Release>[], values: readonly bigint[]): WorldRule[] {
  return packages.flatMap(({ index, name, all, absent }) => {
    const value = values[index]!;
    if (value === absent) return [];
    return given(new Map([[index, all & ~value]]), { kind: 'wanted', name, wanted: '' }, () => all);
  });
}
