import { brokenRules, ruleKey } from './searchable.ts';
import { factWords } from './words.ts';
import type { InstalledRelease } from './world.ts';

/** Something that a Solution asks for and would not have any longer. */
export interface BrokenAsk {
  /** The name of the Solution. */
  readonly of: string;
  /** Who requires what, and what exists of it. */
  readonly words: string;
}

/**
 * Finds what the Solutions of a cluster would not have any longer, of what they have `now`, were there these
 * `after`wards.
 */
export function brokenAsks(now: readonly InstalledRelease[], after: readonly InstalledRelease[]): BrokenAsk[] {
  const before = new Set(brokenRules(now).rules.map(ruleKey));
  const { rules, ...known } = brokenRules(after);
  return rules.flatMap((rule) => {
    if (before.has(ruleKey(rule)) || !('fact' in rule.cause) || !('who' in rule.cause.fact)) return [];
    const { fact } = rule.cause;
    return [{ of: fact.who.name, words: factWords(fact, { ...known, isChange: true }).replace(/,$/, '') }];
  });
}
