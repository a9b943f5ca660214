import type { Release } from '../solution/relations.ts';
import type { Ask, Fact } from './fact.ts';
import { type CandidatePackage, packagesOf } from './packages.ts';
import { type Providers, providersIn } from './providers.ts';
import { rulesOf, type WorldRule } from './rules.ts';
import { type SearchResult, search } from './search.ts';
import { walking } from './walk.ts';
import type { World } from './world.ts';

/** How many rules are looked at before a world counts as too entangled. Real ones take some thousands. */
const LIMIT = 5_000_000;

/** A world as it is searched. */
export interface Searchable<One extends Release = Release> {
  readonly packages: readonly CandidatePackage<One>[];
  readonly providers: Providers;
  readonly rules: readonly WorldRule[];
}

/** Makes ready to search a world. */
export function searchableOf<One extends Release>(world: World<One>): Searchable<One> {
  const packages = packagesOf(world);
  const providers = providersIn(packages);
  return { packages, providers, rules: rulesOf(world, packages, providers) };
}

/** Searches a world, also for what is `asked` for besides, with further rules. */
export function searchOf(
  { packages, providers, rules }: Searchable,
  asked: readonly Ask[] = [],
  further: readonly WorldRule[] = [],
): SearchResult<Fact> {
  const choose = walking(packages, providers, asked);
  return search({ all: packages.map(({ all }) => all), clauses: [...rules, ...further], choose }, LIMIT);
}

/** Tells whether there is a set. */
export function isResolvable(world: World): boolean {
  return 'values' in searchOf(searchableOf(world));
}
