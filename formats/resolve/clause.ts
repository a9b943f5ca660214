/**
 * What must not be: that each of these packages has one of these values. A package is one that a set may hold; its
 * values are its versions, and last that it is not there. Values are the bits of a number, the most wanted one first.
 */
export interface Clause<Fact> {
  readonly terms: ReadonlyMap<number, bigint>;
  /** Why: something that is given, or two other clauses that it follows from. */
  readonly cause: { readonly fact: Fact } | { readonly from: readonly [Clause<Fact>, Clause<Fact>] };
}

/** Makes a clause of something that is given; none where it excludes nothing. */
export function given<Fact>(
  terms: ReadonlyMap<number, bigint>,
  fact: Fact,
  all: (packageIndex: number) => bigint,
): Clause<Fact>[] {
  const telling = [...terms].filter(([about, values]) => values !== all(about));
  return telling.some(([, values]) => values === 0n) ? [] : [{ terms: new Map(telling), cause: { fact } }];
}

/**
 * Draws the conclusion from two clauses about a package (resolution): where all else holds that either asks for, it has
 * none of the values of both. What then excludes nothing is left out.
 */
export function conclude<Fact>(
  first: Clause<Fact>,
  second: Clause<Fact>,
  about: number,
  all: (packageIndex: number) => bigint,
): Clause<Fact> {
  const terms = new Map(first.terms);
  for (const [one, values] of second.terms) {
    const before = terms.get(one);
    if (before === undefined) terms.set(one, values);
    else terms.set(one, one === about ? before | values : before & values);
  }
  for (const [one, values] of terms) if (values === all(one)) terms.delete(one);
  return { terms, cause: { from: [first, second] } };
}

/** Lists what is given that a clause follows from, each once, in the order in which it was concluded from. */
export function factsBehind<Fact>(clause: Clause<Fact>): Fact[] {
  const seen = new Set<Clause<Fact>>();
  const facts = new Set<Fact>();
  const open = [clause];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if ('fact' in next.cause) facts.add(next.cause.fact);
    else open.push(next.cause.from[1], next.cause.from[0]);
  }
  return [...facts];
}
