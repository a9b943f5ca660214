import { compare } from 'semver';
import { kubernetesSatisfies } from '../solution/kubernetes-range.ts';
import type { Ranges, Release } from '../solution/relations.ts';
import { LATEST } from '../solution/wanted-version.ts';
import { type Clause, given } from './clause.ts';
import type { Effort } from './effort.ts';
import type { Ask, Fact, Speakers } from './fact.ts';
import { bitsOf, type CandidatePackage, eligibleFor, releasesOf, wantedOrLeading } from './packages.ts';
import type { Providers } from './providers.ts';
import { upgradeFacts } from './upgrade-facts.ts';
import type { World } from './world.ts';

/** A rule of a world, as what must not be. */
export type WorldRule = Clause<Fact>;

/**
 * Makes the rules of a world. What several versions of a Solution say in the same words is one rule. Throws
 * `TooEntangled`.
 */
export function rulesOf<One extends Release>(
  { barred, kubernetes, wants }: World<One>,
  packages: readonly CandidatePackage<One>[],
  providers: Providers,
  effort: Effort,
): WorldRule[] {
  const all = (index: number): bigint => packages[index]!.all;
  const rules: WorldRule[] = [];
  const put = (terms: Iterable<readonly [number, bigint]>, fact: Fact): void => {
    const map = new Map(terms);
    effort.makeRule(map.size);
    rules.push(...given(map, fact, all));
  };
  for (const one of packages) {
    if (one.sharedBy !== undefined) putShared(one, wants.get(one.name), packages, { all, put });
    else if (one.wanted !== undefined) putWanted(one, one.wanted, providers, { all, put });
    if (barred?.has(one.name)) put([[one.index, one.all & ~one.absent]], { kind: 'barred', name: one.name });
    putRequirements(one, providers, { all, put });
    putExclusions(one, packages, providers, { all, put });
    for (const { bits, fact } of upgradeFacts(one)) put([[one.index, bits]], fact);
    if (kubernetes === undefined) continue;
    for (const [range, bits] of saidBy(one, (release) => (release.kubernetes ? [release.kubernetes] : []))) {
      if (kubernetesSatisfies(kubernetes, range)) continue;
      const who = speakers(one, bits);
      put([[one.index, bits]], { kind: 'kubernetes', who, range, version: kubernetes });
    }
  }
  return rules;
}

interface Putting {
  all(index: number): bigint;
  put(terms: Iterable<readonly [number, bigint]>, fact: Fact): void;
}

function putWanted<One extends Release>(
  one: CandidatePackage<One>,
  wanted: string,
  providers: Providers,
  { all, put }: Putting,
): void {
  const { index, name, absent } = one;
  const fact: Fact = { kind: 'wanted', name, wanted };
  const eligible = wantedOrLeading(one, wanted);
  const wrong = bitsOf(one, (release) => !eligible.has(release));
  // Only who says no version means the Solution whatever it is called by now.
  const instead = wanted === LATEST ? [...providers.replacing(name)].filter(([about]) => about !== index) : [];
  if (instead.length === 0) put([[index, wrong | absent]], fact);
  else {
    put([[index, wrong]], fact);
    put([[index, absent], ...instead.map(([about, bits]) => [about, all(about) & ~bits] as const)], fact);
  }
}

/** What environments share comes in the highest version of theirs, or in the one that is wanted besides. */
function putShared<One extends Release>(
  one: CandidatePackage<One>,
  wanted: string | undefined,
  packages: readonly CandidatePackage<One>[],
  { put }: Putting,
): void {
  const { index, name, absent, releases, sharedBy = [] } = one;
  const fact: Fact = { kind: 'shared', name };
  const below = (version: string): bigint => bitsOf(one, (other) => compare(other.version, version) < 0) | absent;
  const besides = wanted === undefined ? [] : eligibleFor(wanted, releases);
  const least = besides.toSorted((a, b) => compare(b.version, a.version))[0]?.version;
  if (wanted !== undefined)
    put([[index, least === undefined ? one.all : below(least)]], { kind: 'wanted', name, wanted });
  const environments = packages.filter((each) => sharedBy.includes(each.name));
  const at = (each: CandidatePackage<One>, version: string): bigint =>
    bitsOf(each, (release) => release.version === version);
  for (const { version } of releases) {
    for (const each of environments) {
      put(
        [
          [each.index, at(each, version)],
          [index, below(version)],
        ],
        fact,
      );
    }
    if (version === least) continue;
    const others = environments.map((each) => [each.index, each.all & ~at(each, version)] as const);
    put([[index, at(one, version)], ...others], fact);
  }
}

function putRequirements<One extends Release>(
  one: CandidatePackage<One>,
  providers: Providers,
  { all, put }: Putting,
): void {
  const asked = (release: Release): string[] => [
    ...asksIn(release.requires).map((ask) => JSON.stringify([ask])),
    ...(release.anyOf ?? []).map((ranges) => JSON.stringify(asksIn(ranges))),
  ];
  for (const [key, bits] of saidBy(one, asked)) {
    const asks = JSON.parse(key) as Ask[];
    const terms = new Map([[one.index, bits]]);
    for (const { name, range } of asks) {
      for (const [about, met] of providers.meeting(name, range)) {
        terms.set(about, (terms.get(about) ?? all(about)) & ~met);
      }
    }
    put(terms, { kind: 'requires', who: speakers(one, bits), asks });
  }
}

function putExclusions<One extends Release>(
  one: CandidatePackage<One>,
  packages: readonly CandidatePackage<One>[],
  providers: Providers,
  { put }: Putting,
): void {
  const exclude = (
    bits: bigint,
    others: Iterable<readonly [number, bigint]>,
    fact: (sides: { readonly who: Speakers; readonly other: Speakers }) => Fact,
  ): void => {
    for (const [about, theirs] of others) {
      const other = packages[about]!;
      // What a Solution has in several environments is not in its own way.
      if (about === one.index || (other.environmentOf ?? other.name) === (one.environmentOf ?? one.name)) continue;
      const sides = { who: speakers(one, bits), other: speakers(other, theirs) };
      const terms = new Map([[one.index, bits]]);
      put(terms.set(about, theirs), fact(sides));
    }
  };
  for (const kind of ['conflicts', 'replaces'] as const) {
    for (const [key, bits] of saidBy(one, (release) => asksIn(release[kind]).map((ask) => JSON.stringify(ask)))) {
      const ask = JSON.parse(key) as Ask;
      const held = [...providers.holding(ask.name, ask.range)];
      // Whose place somebody takes is a Solution.
      const others = kind === 'conflicts' ? held : held.filter(([about]) => packages[about]!.name === ask.name);
      exclude(bits, others, (sides) => ({ kind, ask, ...sides }));
    }
  }
  for (const [capability, bits] of saidBy(one, (release) => release.exclusive ?? [])) {
    exclude(bits, providers.providing(capability), (sides) => ({ kind: 'exclusive', capability, ...sides }));
  }
}

/** Groups the versions of a package by what they say. */
function saidBy<One extends Release>(
  one: CandidatePackage<One>,
  say: (release: One | Release) => readonly string[],
): Map<string, bigint> {
  const said = new Map<string, bigint>();
  for (const [at, release] of one.releases.entries()) {
    for (const words of say(release)) said.set(words, (said.get(words) ?? 0n) | (1n << BigInt(at)));
  }
  return said;
}

function asksIn(ranges: Ranges | undefined): Ask[] {
  return Object.entries(ranges ?? {}).map(([name, range]) => ({ name, range }));
}

function speakers<One extends Release>(one: CandidatePackage<One>, bits: bigint): Speakers {
  return { name: one.name, releases: releasesOf(one, bits) };
}
