/**
 * Who needs a thing: configurations by their names, each with the number of the newest of its sets that the thing is
 * in.
 */
export type Claims = Readonly<Record<string, number>>;

/**
 * How many of the newest sets of a user stay where nobody says which things it needs: the present one and the previous
 * one.
 */
const SETS = 2;

/**
 * Claims things for a user: `wanted` is its present set from now on. Where it was before, nothing changes. Returns the
 * claims of all things that are known or wanted.
 */
export function claimFor(
  known: ReadonlyMap<string, Claims>,
  user: string,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, Claims> {
  const newest = newestSet(known, user);
  const present = [...known].filter(([, claims]) => claims[user] === newest && newest > 0).map(([id]) => id);
  const isSame = present.length === wanted.size && present.every((id) => wanted.has(id));
  const number = isSame ? newest : newest + 1;
  const claimed = new Map(known);
  for (const id of wanted) claimed.set(id, { ...known.get(id), [user]: number });
  return claimed;
}

/**
 * Takes the claims of a user off things that are not in `keep`; where that is undefined, off those that are in none of
 * its two newest sets. Returns the claims of all things; those without any are needed by nobody.
 */
export function release(
  known: ReadonlyMap<string, Claims>,
  user: string,
  keep: ReadonlySet<string> | undefined,
): ReadonlyMap<string, Claims> {
  const oldest = newestSet(known, user) - SETS + 1;
  const stays = (id: string, number: number): boolean => (keep === undefined ? number >= oldest : keep.has(id));
  return new Map(
    [...known].map(([id, claims]) => {
      const { [user]: number, ...others } = claims;
      return [id, number === undefined || stays(id, number) ? claims : others];
    }),
  );
}

function newestSet(known: ReadonlyMap<string, Claims>, user: string): number {
  return Math.max(0, ...[...known.values()].map((claims) => claims[user] ?? 0));
}

/** Lists the things that nobody needs. */
export function unclaimed(known: ReadonlyMap<string, Claims>): string[] {
  return [...known].filter(([, claims]) => Object.keys(claims).length === 0).map(([id]) => id);
}
