import { type CharacterSet, holds, isWord } from './character-set.ts';
import { type Edge, PatternError, type PatternNode, parsePattern } from './pattern-syntax.ts';

/** Most instructions of a program, and most steps of a search. */
const limits = { program: 20_000, steps: 5_000_000 } as const;

type Instruction =
  | { readonly take: CharacterSet }
  | { readonly edge: Edge }
  /** Continues at each of these. */
  | { to: number[] };

/** What may still be searched, in characters times instructions: one for all that is asked of a value. */
export interface PatternWork {
  left: number;
}

/**
 * A regular expression that is searched for in time linear in the text (Thompson, "Regular Expression Search
 * Algorithm").
 */
export class Pattern {
  readonly source: string;
  readonly #program: Instruction[] = [];

  /** Throws `PatternError`. */
  constructor(source: string) {
    this.source = source;
    this.#add(parsePattern(source));
  }

  /** How many instructions it takes. */
  get size(): number {
    return this.#program.length;
  }

  /**
   * Decides whether some part of a text matches. Throws `PatternError` where pattern and text are too large together,
   * or where too much was searched by then.
   */
  isIn(text: string, work: PatternWork = { left: Number.POSITIVE_INFINITY }): boolean {
    const codes = Array.from(text, (character) => character.codePointAt(0)!);
    const steps = codes.length * this.#program.length;
    if (steps > limits.steps) throw new PatternError('is too large for such a long text');
    work.left -= steps;
    if (work.left < 0) throw new PatternError('is one of too many patterns for so many texts');
    let current = new Set<number>();
    for (let at = 0; at <= codes.length; at += 1) {
      current.add(0);
      if (this.#reach(current, codes, at)) return true;
      const next = new Set<number>();
      for (const place of current) {
        const one = this.#program[place]!;
        if (at < codes.length && 'take' in one && holds(one.take, codes[at]!)) next.add(place + 1);
      }
      current = next;
    }
    return false;
  }

  /** Adds all places that are reached without taking a character, and says whether the end of the program is one. */
  #reach(places: Set<number>, codes: readonly number[], at: number): boolean {
    for (const place of places) {
      const one = this.#program[place];
      if (one === undefined) return true;
      if ('to' in one) for (const to of one.to) places.add(to);
      else if ('edge' in one && isAt(one.edge, codes, at)) places.add(place + 1);
    }
    return false;
  }

  #add(node: PatternNode): void {
    if (this.#program.length > limits.program) throw new PatternError('is too large');
    if (node.kind === 'set') this.#program.push({ take: node.set });
    else if (node.kind === 'edge') this.#program.push({ edge: node.edge });
    else if (node.kind === 'sequence') for (const part of node.parts) this.#add(part);
    else if (node.kind === 'choice') this.#addChoice(node.parts);
    else this.#addRepeat(node.part, node.least, node.most);
  }

  #addChoice(parts: readonly PatternNode[]): void {
    const fork = this.#fork();
    const ends: { to: number[] }[] = [];
    for (const part of parts) {
      fork.to.push(this.#program.length);
      this.#add(part);
      ends.push(this.#fork());
    }
    for (const end of ends) end.to.push(this.#program.length);
  }

  #addRepeat(part: PatternNode, least: number, most: number): void {
    for (let count = 0; count < least; count += 1) this.#add(part);
    if (most === Infinity) {
      const start = this.#program.length;
      const fork = this.#fork();
      fork.to.push(start + 1);
      this.#add(part);
      this.#fork().to.push(start);
      fork.to.push(this.#program.length);
      return;
    }
    const forks: { to: number[] }[] = [];
    for (let count = least; count < most; count += 1) {
      const fork = this.#fork();
      fork.to.push(this.#program.length);
      forks.push(fork);
      this.#add(part);
    }
    for (const fork of forks) fork.to.push(this.#program.length);
  }

  #fork(): { to: number[] } {
    const fork: { to: number[] } = { to: [] };
    this.#program.push(fork);
    return fork;
  }
}

function isAt(edge: Edge, codes: readonly number[], at: number): boolean {
  if (edge === 'start') return at === 0;
  if (edge === 'end') return at === codes.length;
  return (isWord(codes[at - 1]) !== isWord(codes[at])) === (edge === 'word');
}
