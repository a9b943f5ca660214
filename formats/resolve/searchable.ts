import type { Release } from '../solution/relations.ts';
import { anyEffort, type Effort } from './effort.ts';
import type { Ask, Fact } from './fact.ts';
import { type CandidatePackage, packagesOf } from './packages.ts';
import { type Providers, providersIn } from './providers.ts';
import { rulesOf, type WorldRule } from './rules.ts';
import { type SearchResult, search } from './search.ts';
import { walking } from './walk.ts';
import type { InstalledRelease, World } from './world.ts';

/** A world as it is searched. */
export interface Searchable<One extends Release = Release> {
  readonly packages: readonly CandidatePackage<One>[];
  readonly providers: Providers;
  readonly rules: readonly WorldRule[];
}

/** Makes ready to search a world. Throws `TooEntangled`. */
export function searchableOf<One extends Release>(world: World<One>, effort: Effort): Searchable<One> {
  const packages = packagesOf(world);
  const providers = providersIn(packages, effort);
  const rules = rulesOf(world, packages, providers, effort);
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
  const effort = anyEffort();
  const providers = providersIn(packages, effort);
  const rules = rulesOf(world, packages, providers, effort).filter(({ terms }) => terms.size === 0);
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

/** Searches a world, as far as there is effort left, also for what is `asked` for besides, with further rules. */
export function searchOf(
  { packages, providers, rules }: Searchable,
  effort: Effort,
  asked: readonly Ask[] = [],
  further: readonly WorldRule[] = [],
): SearchResult<Fact> {
  const choose = walking(packages, providers, asked);
  const problem = { all: packages.map(({ all }) => all), clauses: [...rules, ...further], choose };
  const found = search(problem, effort.left);
  effort.count(found.steps);
  return found;
}

/** Returns whether there is a set. Throws `TooEntangled`. */
export function isResolvable(world: World, effort: Effort): boolean {
  return 'values' in searchOf(searchableOf(world, effort), effort);
}
