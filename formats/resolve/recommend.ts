import type { Release } from '../solution/relations.ts';
import { given } from './clause.ts';
import { type Effort, TooEntangled } from './effort.ts';
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

/**
 * Adds to a set what its members recommend, one after the other, where all that was chosen by then stays as it is. What
 * there is no effort left for is not brought.
 */
export function withRecommended(
  searchable: Searchable,
  base: { readonly values: readonly bigint[]; readonly steps: number },
  effort: Effort,
): Chosen {
  const chosen: Mutable = { ...base, recommended: new Set(), asked: [] };
  try {
    addRecommended(searchable, chosen, effort);
  } catch (error) {
    if (!(error instanceof TooEntangled)) throw error;
  }
  return chosen;
}

/** A set while it grows. */
interface Mutable {
  values: readonly bigint[];
  steps: number;
  readonly recommended: Set<number>;
  /** What of all that is recommended was asked for, and is there. */
  asked: readonly Ask[];
}

function addRecommended(searchable: Searchable, chosen: Mutable, effort: Effort): void {
  const { packages, providers } = searchable;
  const looked = new Set<number>();
  const next = (): CandidatePackage<Release> | undefined => nextOf(packages, chosen.values, looked);
  for (let one = next(); one !== undefined; one = next()) {
    looked.add(one.index);
    const [release] = releasesOf(one, chosen.values[one.index]!);
    for (const [name, range] of Object.entries(release?.recommends ?? {})) {
      const meeting = providers.meeting(name, range);
      const isMet = [...meeting].some(([about, bits]) => (chosen.values[about]! & bits) !== 0n);
      if (isMet || meeting.size === 0) continue;
      const asks = [...chosen.asked, { name, range }];
      const rule = askRule({ name: one.name, releases: [release!] }, { name, range }, meeting, packages);
      const found = searchOf(searchable, effort, asks, [...stays(packages, chosen.values), ...rule]);
      effort.spend(0);
      chosen.steps += found.steps;
      if (!('values' in found)) continue;
      for (const [about, bits] of meeting) if ((found.values[about]! & bits) !== 0n) chosen.recommended.add(about);
      chosen.values = found.values;
      chosen.asked = asks;
    }
  }
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
