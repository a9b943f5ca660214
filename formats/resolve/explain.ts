import { type Clause, factsBehind } from './clause.ts';
import type { Fact } from './fact.ts';
import type { Searchable } from './searchable.ts';
import { conclusionWords, factWords } from './words.ts';

/** From how many conclusions and facts on nobody follows a derivation: then what is given is listed instead. */
const READABLE = 200;

type Known = Pick<Searchable, 'packages' | 'providers'>;
type Derived = Clause<Fact> & { readonly cause: { readonly from: readonly [Clause<Fact>, Clause<Fact>] } };

/**
 * Tells in sentences how a conflict follows from what is given (Weizenbaum, "PubGrub: Next-Generation Version Solving",
 * Error Reporting). A sentence that a later one goes back to ends with its number.
 */
export function explainConflict(conflict: Clause<Fact>, known: Known): string[] {
  if (!isDerived(conflict)) return [sentence(wordsOf(conflict, known))];
  const uses = usesOf(conflict);
  if (uses.size > READABLE) {
    return [
      ...factsBehind(conflict).map((fact) => sentence(factWords(fact, known))),
      'These requirements contradict each other.',
    ];
  }
  const telling = new Telling(uses, known);
  telling.tell(conflict);
  return telling.sentences;
}

class Telling {
  readonly sentences: string[] = [];
  readonly #numbers = new Map<Clause<Fact>, number>();
  readonly #uses: ReadonlyMap<Clause<Fact>, number>;
  readonly #known: Known;

  constructor(uses: ReadonlyMap<Clause<Fact>, number>, known: Known) {
    this.#uses = uses;
    this.#known = known;
  }

  /** Reports a conclusion, after all that it follows from. */
  tell(clause: Derived, numbered = false): void {
    const [first, second] = clause.cause.from;
    const derived = [first, second].filter(isDerived);
    if (derived.length === 2) this.#tellBoth(clause, derived[0]!, derived[1]!, numbered);
    else if (derived.length === 1) this.#tellOne(clause, derived[0]!, isDerived(first) ? second : first, numbered);
    else this.#end(`Because ${this.#words(first)} and ${this.#words(second)}`, clause, numbered);
  }

  #tellBoth(clause: Derived, one: Derived, other: Derived, numbered: boolean): void {
    const known = [one, other].filter((each) => this.#numbers.has(each));
    if (known.length === 2) {
      this.#end(`Because ${this.#words(one)} and ${this.#words(other)}`, clause, numbered);
      return;
    }
    if (known.length === 1) {
      this.tell(known[0] === one ? other : one);
      this.#end(`And because ${this.#words(known[0]!)}`, clause, numbered);
      return;
    }
    const [first, last] = isSimple(one) ? [other, one] : [one, other];
    if (isSimple(last)) {
      this.tell(first);
      this.tell(last);
      this.#end('Thus', clause, numbered);
      return;
    }
    this.tell(first, true);
    this.tell(last);
    this.#end(`And because ${this.#words(first)}`, clause, numbered);
  }

  #tellOne(clause: Derived, derived: Derived, fact: Clause<Fact>, numbered: boolean): void {
    if (this.#numbers.has(derived)) {
      this.#end(`Because ${this.#words(fact)} and ${this.#words(derived)}`, clause, numbered);
      return;
    }
    const [first, second] = derived.cause.from;
    const [inner, outer] = isDerived(first) ? [first, second] : [second, first];
    // A conclusion that only this one is drawn from need not be reported by itself.
    if (isDerived(inner) && !isDerived(outer) && this.#uses.get(derived) === 1) {
      if (!this.#numbers.has(inner)) this.tell(inner);
      this.#end(`And because ${this.#words(outer)} and ${this.#words(fact)}`, clause, numbered);
      return;
    }
    this.tell(derived);
    this.#end(`And because ${this.#words(fact)}`, clause, numbered);
  }

  #end(because: string, clause: Derived, numbered: boolean): void {
    const isLast = clause.terms.size === 0;
    const needsNumber = !isLast && (numbered || this.#uses.get(clause)! > 1) && !this.#numbers.has(clause);
    if (needsNumber) this.#numbers.set(clause, this.#numbers.size + 1);
    const number = needsNumber ? ` (${this.#numbers.get(clause)})` : '';
    this.sentences.push(sentence(`${because.replace(/,$/, '')}, ${conclusionWords(clause, this.#known)}${number}`));
  }

  #words(clause: Clause<Fact>): string {
    const number = this.#numbers.get(clause);
    return number === undefined ? wordsOf(clause, this.#known) : `${conclusionWords(clause, this.#known)} (${number})`;
  }
}

function wordsOf(clause: Clause<Fact>, known: Known): string {
  return 'fact' in clause.cause ? factWords(clause.cause.fact, known) : conclusionWords(clause, known);
}

function isDerived(clause: Clause<Fact>): clause is Derived {
  return 'from' in clause.cause;
}

/** Whether a conclusion follows from nothing but what is given. */
function isSimple({ cause: { from } }: Derived): boolean {
  return !from.some(isDerived);
}

/** Counts how many conclusions are drawn from each. */
function usesOf(conflict: Clause<Fact>): Map<Clause<Fact>, number> {
  const uses = new Map<Clause<Fact>, number>();
  const open = [conflict];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isDerived(next)) continue;
    for (const one of next.cause.from) {
      uses.set(one, (uses.get(one) ?? 0) + 1);
      if (uses.get(one) === 1) open.push(one);
    }
  }
  return uses;
}

function sentence(words: string): string {
  // A name stays as it is.
  return `${words.replace(/^the /, 'The ').replace(/,$/, '')}.`;
}
