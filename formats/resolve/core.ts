import { type Clause, factsBehind } from './clause.ts';
import type { Effort } from './effort.ts';
import type { Fact } from './fact.ts';
import { type Choose, search } from './search.ts';
import type { Searchable } from './searchable.ts';

/** Of how many facts at most it is tried whether the conflict is there without them. */
const TRIED = 100;

/** How many rules are looked at for that, each time, at most. */
const LIMIT = 100_000;

/**
 * Finds a conflict for which all facts are needed that it follows from, so that as little as possible has to be
 * explained.
 */
export function shrink(conflict: Clause<Fact>, { packages, rules }: Searchable, effort: Effort): Clause<Fact> {
  const all = packages.map((one) => one.all);
  const among = (facts: ReadonlySet<Fact>): Clause<Fact> | undefined => {
    const clauses = rules.filter(({ cause }) => 'fact' in cause && facts.has(cause.fact));
    const found = search({ all, clauses, choose: firstOf(all) }, Math.min(LIMIT, effort.left));
    effort.count(found.steps + rules.length);
    return 'conflict' in found ? found.conflict : undefined;
  };
  let known = conflict;
  for (const fact of factsBehind(conflict).slice(0, TRIED)) {
    const facts = new Set(factsBehind(known));
    if (!facts.delete(fact) || effort.left === 0) continue;
    known = among(facts) ?? known;
  }
  return known;
}

/** Takes the first value of each. */
function firstOf(all: readonly bigint[]): Choose {
  return (left) => {
    const about = all.findIndex((_, one) => (left(one) & (left(one) - 1n)) !== 0n);
    return about < 0 ? { values: all.map((_, one) => left(one)) } : { about, bit: left(about) & -left(about) };
  };
}
