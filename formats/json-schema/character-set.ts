/** A set of characters: code points from and to, both included, or all but these. */
export interface CharacterSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly negated: boolean;
}

const digits: CharacterSet['ranges'] = [[0x30, 0x39]];
const words: CharacterSet['ranges'] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
// ECMA-262 counts Unicode's spaces, RE2 only those of ASCII: what both take is what is meant.
const spaces: CharacterSet['ranges'] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

/** What `\d`, `\w`, `\s` and their opposites stand for. */
export const classes: Readonly<Record<string, CharacterSet>> = {
  d: { ranges: digits, negated: false },
  D: { ranges: digits, negated: true },
  w: { ranges: words, negated: false },
  W: { ranges: words, negated: true },
  s: { ranges: spaces, negated: false },
  S: { ranges: spaces, negated: true },
};

/** Everything but a line feed. */
export const anyCharacter: CharacterSet = { ranges: [[0x0a, 0x0a]], negated: true };

/** Decides whether a character is in a set. */
export function holds({ ranges, negated }: CharacterSet, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to) !== negated;
}

/** Decides whether a character is a letter, a digit or `_`; undefined, the end of a text, is none. */
export function isWord(code: number | undefined): boolean {
  return code !== undefined && holds(classes['w']!, code);
}

/** Lists the ranges of a set, those of a negated one turned round. */
export function rangesOf({ ranges, negated }: CharacterSet): (readonly [number, number])[] {
  if (!negated) return [...ranges];
  const turned: [number, number][] = [];
  let next = 0;
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (from > next) turned.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return [...turned, [next, 0x10ffff]];
}
