import { Range, satisfies } from 'semver';
import { formedText, z } from '../schema.ts';
import { isSemVer } from './names.ts';

/** Stands for the highest version that there is. */
export const LATEST = 'latest';

/**
 * Says in the grouped form that no version of a Solution is to be active, because saying nothing there means the
 * highest.
 */
export const NONE = 'none';

/** Characters that a range may have. */
const LONGEST = 256;

/**
 * The form of a range of versions: versions, of which parts may be absent or `x`, with operators before them, and
 * blanks, ` - ` or `||` between them. What node-semver skips (build metadata, a `*` before a version) may be there.
 */
export const RANGE: RegExp =
  /^(?:\s-\s|[|<>=~^\s])*(?:(?:(?:\*?\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:[-+*xX][0-9A-Za-z.*+-]*)?|\+[0-9A-Za-z.*+-]*)(?:(?:\s-\s|[|<>=~^\s])+|$))*$/;

/** Tells in messages what a configuration may want to be active. */
export const wantedVersionWords =
  'has to be "latest" or a SemVer version in quotes, such as "1.1.0", or a range of them, such as "^1.2", ">=1.2 <2" or "1.x"';

/**
 * Returns whether `text` is a range of versions as node-semver reads it, and no version by itself: `^1.2`, `>=1.2 <2`,
 * `1.x`. One with a leading `v` is none, as that is in no version.
 */
export function isVersionRange(text: string): boolean {
  if (text.length > LONGEST || text.trim() !== text || text === '' || isSemVer(text)) return false;
  if (/(?:^|[^0-9A-Za-z.+-])v/i.test(text)) return false;
  return rangeIn(text) !== undefined;
}

/** Returns whether `text` says which version of a Solution is to be active: `latest`, a version, or a range. */
export function isWantedVersion(text: string): boolean {
  return text === LATEST || isSemVer(text) || isVersionRange(text);
}

/**
 * Returns whether a version lies in a range, by the rules of node-semver: a pre-release does only where the range names
 * one of the same three numbers. Build metadata does not count.
 */
export function isInRange(version: string, range: string): boolean {
  const parsed = rangeIn(range);
  return parsed !== undefined && satisfies(version, parsed);
}

const wantedText = formedText(RANGE, wantedVersionWords, (text) => isSemVer(text) || isVersionRange(text));

/** Accepts what `isWantedVersion` does. */
export const wantedSchema: z.ZodType<string> = wantedOr([LATEST], wantedVersionWords);

/** Accepts `none` as well. */
export const wantedOrNoneSchema: z.ZodType<string> = wantedOr([LATEST, NONE], `${wantedVersionWords}, or "${NONE}"`);

function wantedOr(words: readonly string[], message: string): z.ZodType<string> {
  return z.union([z.enum(words).meta({ errorMessage: message }), wantedText], message);
}

function rangeIn(text: string): Range | undefined {
  try {
    return new Range(text);
  } catch {
    return undefined;
  }
}
