import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pattern, slowness } from './patterns.ts';

/** Where the verdicts are kept. `scripts/patterns.ts` writes the file. */
export const verdictsFile: string = join(import.meta.dirname, 'pattern-verdicts.json');

/**
 * What recheck found of each pattern, by `patternKey`: `linear`, or why the pattern may take more than the time of its
 * input.
 */
export type Verdicts = Readonly<Record<string, string>>;

/** The release of recheck that judges. */
export const recheckRelease: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../node_modules/recheck/package.json'), 'utf8'),
).version;

/** Reads the verdicts that are kept. */
export function keptVerdicts(): Verdicts {
  return JSON.parse(readFileSync(verdictsFile, 'utf8'));
}

/** Names all that a verdict depends on: the pattern, its flags, and the release of recheck. */
export function patternKey({ source, flags }: Pattern, release: string = recheckRelease): string {
  return createHash('sha256')
    .update(JSON.stringify([source, flags, release]))
    .digest('hex');
}

/** Judges a pattern anew, which takes recheck up to some seconds. */
export function verdictOf(pattern: Pattern): string {
  return slowness(pattern) ?? LINEAR;
}

/** Says what is wrong with patterns by the verdicts that are kept: `path:line /pattern/flags: why`. */
export function complaints(patterns: readonly Pattern[], verdicts: Verdicts): string[] {
  return patterns.flatMap((pattern) => {
    const verdict = verdicts[patternKey(pattern)] ?? 'has no verdict yet; run "npm run patterns"';
    return verdict === LINEAR ? [] : [`${pattern.at} /${pattern.source}/${pattern.flags}: ${verdict}`];
  });
}

const LINEAR = 'linear';
