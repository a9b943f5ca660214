import { type Clause, conclude } from './clause.ts';
import { Trail } from './trail.ts';

/** What is searched: packages with their values, what must not be, and what is chosen where several values are left. */
export interface SearchProblem<Fact> {
  /** The values that each package may have, as bits. */
  readonly all: readonly bigint[];
  readonly clauses: readonly Clause<Fact>[];
  readonly choose: Choose;
}

/** A value of a package, as its bit. */
export interface Value {
  readonly about: number;
  readonly bit: bigint;
}

/**
 * Says what is decided next, by the values that are left, or that all is. It goes by what it has decided alone, and
 * takes the first of some values that is left. So what is found is what one would find by asking for each value whether
 * there is a set with it.
 */
export type Choose = (left: (about: number) => bigint) => Value | { readonly values: readonly bigint[] };

/** What a search found: the value of each package, or what follows from all that is given: nothing, which no set is. */
export type SearchResult<Fact> =
  | { readonly values: readonly bigint[]; readonly steps: number }
  | { readonly conflict: Clause<Fact>; readonly steps: number }
  | { readonly exhausted: true; readonly steps: number };

/**
 * Finds the best set, or proves that there is none (conflict-driven clause learning; Weizenbaum, "PubGrub:
 * Next-Generation Version Solving", with values as bits). Each clause that is looked at is a step; after `limit` of
 * them it gives up.
 */
export function search<Fact>({ all, clauses, choose }: SearchProblem<Fact>, limit: number): SearchResult<Fact> {
  const trail = new Trail<Fact>(all);
  const index: Clause<Fact>[][] = all.map(() => []);
  const counter = { steps: 0 };
  const learn = (clause: Clause<Fact>): void => {
    for (const about of clause.terms.keys()) index[about]!.push(clause);
  };
  for (const clause of clauses) learn(clause);
  let open: readonly Clause<Fact>[] = clauses;
  for (;;) {
    let conflict = propagate(open, { trail, index, counter });
    while (conflict !== undefined) {
      const learned = traceConflict(conflict, trail, all);
      if (learned.terms.size === 0) return { conflict: learned, steps: counter.steps };
      learn(learned);
      conflict = propagate([learned], { trail, index, counter });
      if (counter.steps > limit) return { exhausted: true, steps: counter.steps };
    }
    if (counter.steps > limit) return { exhausted: true, steps: counter.steps };
    const next = choose((about) => trail.values(about));
    if ('values' in next) return { values: next.values, steps: counter.steps };
    trail.decide(next.about, next.bit);
    open = index[next.about]!;
  }
}

interface State<Fact> {
  readonly trail: Trail<Fact>;
  readonly index: readonly (readonly Clause<Fact>[])[];
  readonly counter: { steps: number };
}

/** Finds out what follows, until nothing more does. Returns a clause that all of it goes against. */
function propagate<Fact>(first: readonly Clause<Fact>[], state: State<Fact>): Clause<Fact> | undefined {
  const { trail, index, counter } = state;
  const changed = new Set<number>();
  const look = (clauses: readonly Clause<Fact>[]): Clause<Fact> | undefined => {
    for (const clause of clauses) {
      counter.steps += 1;
      const about = onlyOpen(clause, trail);
      if (about === NONE) return clause;
      if (about === SEVERAL) continue;
      trail.derive(about, ~clause.terms.get(about)!, clause);
      changed.add(about);
    }
    return undefined;
  };
  let conflict = look(first);
  for (const about of changed) {
    if (conflict !== undefined) return conflict;
    changed.delete(about);
    conflict = look(index[about]!);
  }
  return conflict;
}

const NONE = -1;
const SEVERAL = -2;

/**
 * The one package of a clause whose term is not true yet; `NONE` where all are true, `SEVERAL` where nothing follows.
 */
function onlyOpen<Fact>({ terms }: Clause<Fact>, trail: Trail<Fact>): number {
  let open = NONE;
  for (const [about, values] of terms) {
    const now = trail.values(about);
    const met = now & values;
    if (met === now) continue;
    if (met === 0n || open !== NONE) return SEVERAL;
    open = about;
  }
  return open;
}

/**
 * Finds what a conflict follows from, goes back to where that would have been seen first, and returns it: a clause that
 * excludes the way that led here, or an empty one, where there is none.
 */
function traceConflict<Fact>(conflict: Clause<Fact>, trail: Trail<Fact>, all: readonly bigint[]): Clause<Fact> {
  let clause = conflict;
  while (clause.terms.size > 0) {
    const { entry, earlier } = trail.satisfierOf(clause);
    if (entry.cause === undefined || earlier < entry.level) {
      trail.backTo(earlier);
      return clause;
    }
    clause = conclude(clause, entry.cause, entry.about, (about) => all[about]!);
  }
  return clause;
}
