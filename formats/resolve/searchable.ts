import type { Release } from '../solution/relations.ts';
import type { Ask, Fact } from './fact.ts';
import { type CandidatePackage, packagesOf } from './packages.ts';
import { type Providers, providersIn } from './providers.ts';
import { rulesOf, type WorldRule } from './rules.ts';
import { type SearchResult, search } from './search.ts';
import { walking } from './walk.ts';
import type { InstalledRelease, World } from './world.ts';

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
  const rules = rulesOf(world, packages, providers);
  const { present = [] } = world;
  if (present.length === 0) return { packages, providers, rules };
  const broken = new Set(brokenRules(present).rules.map(ruleKey));
  const fixed = new Set(packages.filter(({ absent }) => absent === 0n).map(({ name }) => name));
  const counts = (rule: WorldRule): boolean => {
    const who = speakerOf(rule);
    return who === undefined || !fixed.has(who) || !broken.has(ruleKey(rule));
  };
  return { packages, providers, rules: rules.filter(counts) };
}

/** The rules that do not hold where these are in a cluster. */
export function brokenRules(all: readonly InstalledRelease[]): Searchable {
  const world: World = { candidates: [], wants: new Map(), installed: all };
  const packages = packagesOf(world);
  const providers = providersIn(packages);
  const rules = rulesOf(world, packages, providers).filter(({ terms }) => terms.size === 0);
  return { packages, providers, rules };
}

/** Names what a rule is about, whichever versions of it say so. */
export function ruleKey({ cause }: WorldRule): string {
  if (!('fact' in cause)) return '';
  const { fact } = cause;
  switch (fact.kind) {
    case 'requires':
      return JSON.stringify([fact.kind, fact.who.name, fact.asks]);
    case 'conflicts':
    case 'replaces':
      return JSON.stringify([fact.kind, fact.who.name, fact.ask, fact.other.name]);
    case 'exclusive':
      return JSON.stringify([fact.kind, fact.who.name, fact.capability, fact.other.name]);
    default:
      return '';
  }
}

function speakerOf({ cause }: WorldRule): string | undefined {
  return 'fact' in cause && 'who' in cause.fact ? cause.fact.who.name : undefined;
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
