import { anyCharacter, type CharacterSet, classes, rangesOf } from './character-set.ts';

/** A part of a regular expression. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

/** Where in a text something is: at its ends, or at those of words. */
export type Edge = 'start' | 'end' | 'word' | 'within';

/** How often a part may be repeated by numbers, and how deep groups may lie in each other. */
const limits = { repetition: 1000, depth: 100 } as const;

const controls: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, '0': 0 };
const edges: Readonly<Record<string, Edge>> = { b: 'word', B: 'within', A: 'start', z: 'end' };

/** The reason why a text is no regular expression that both ECMA-262 and RE2 understand. */
export class PatternError extends Error {}

/**
 * Parses a regular expression of what ECMA-262 and RE2 have in common: characters, classes, groups, choices,
 * repetitions, and the ends of texts and words. Throws `PatternError`, also for what only one of both knows (references
 * back, looking around).
 */
export function parsePattern(source: string): PatternNode {
  const parser = new PatternParser(source);
  const node = parser.choice(0);
  if (!parser.ended) throw new PatternError('has a ")" that closes nothing');
  return node;
}

class PatternParser {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  get ended(): boolean {
    return this.#at >= this.#characters.length;
  }

  choice(depth: number): PatternNode {
    if (depth > limits.depth) throw new PatternError(`has groups more than ${limits.depth} deep`);
    const parts = [this.#sequence(depth)];
    while (this.#take('|')) parts.push(this.#sequence(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.ended && this.#next() !== '|' && this.#next() !== ')') parts.push(this.#repeated(depth));
    return { kind: 'sequence', parts };
  }

  #repeated(depth: number): PatternNode {
    const part = this.#atom(depth);
    const times = this.#times();
    if (times === undefined) return part;
    // Whether as much as possible is taken, or as little, does not change what matches.
    this.#take('?');
    if (this.#times() !== undefined) throw new PatternError('repeats a repetition');
    return { kind: 'repeat', part, least: times[0], most: times[1] };
  }

  #times(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (this.#next() !== '{') return undefined;
    // No further than numbers can reach: a text may have a bracket in every place.
    const near = this.#characters.slice(this.#at, this.#at + 12).join('');
    const [whole, least, comma, most] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(near) ?? [];
    if (whole === undefined) return undefined;
    this.#at += whole.length;
    const range = [Number(least), most ? Number(most) : comma ? Infinity : Number(least)] as const;
    if (range[0] > range[1]) throw new PatternError(`repeats from ${range[0]} to ${range[1]} times`);
    const largest = range[1] === Infinity ? range[0] : range[1];
    if (largest > limits.repetition) throw new PatternError(`repeats more than ${limits.repetition} times`);
    return range;
  }

  #atom(depth: number): PatternNode {
    const character = this.#shift();
    if (character === '(') return this.#group(depth);
    if (character === '[') return { kind: 'set', set: this.#set() };
    if (character === '.') return { kind: 'set', set: anyCharacter };
    if (character === '^') return { kind: 'edge', edge: 'start' };
    if (character === '$') return { kind: 'edge', edge: 'end' };
    if ('*+?'.includes(character)) throw new PatternError(`has a "${character}" that repeats nothing`);
    if (character !== '\\') return { kind: 'set', set: only(character.codePointAt(0)!) };
    const edge = edges[this.#next() ?? ''];
    if (edge === undefined) return { kind: 'set', set: this.#escape() };
    this.#at += 1;
    return { kind: 'edge', edge };
  }

  #group(depth: number): PatternNode {
    if (this.#take('?')) this.#groupKind();
    const inner = this.choice(depth + 1);
    if (!this.#take(')')) throw new PatternError('has a "(" that nothing closes');
    return inner;
  }

  #groupKind(): void {
    if (this.#take(':')) return;
    this.#take('P');
    if (!this.#take('<') || '=!'.includes(this.#next() ?? '=')) {
      throw new PatternError('has a group of a kind that not every engine supports, such as lookaround');
    }
    const end = this.#characters.indexOf('>', this.#at);
    if (end < 0) throw new PatternError('has a group whose name does not end');
    this.#at = end + 1;
  }

  #set(): CharacterSet {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || this.#next() !== ']'; first = false) {
      const from = this.#member();
      const hyphen = this.#next() === '-' && this.#characters[this.#at + 1] !== ']';
      if (from.length !== 1 || from[0]![0] !== from[0]![1] || !hyphen) {
        ranges.push(...from);
        continue;
      }
      this.#at += 1;
      const [[low], [high] = [undefined]] = [from[0]!, this.#member()[0] ?? []];
      if (high === undefined || high < low)
        throw new PatternError('has a range of characters that ends before it begins');
      ranges.push([low, high]);
    }
    this.#at += 1;
    return { ranges, negated };
  }

  #member(): readonly (readonly [number, number])[] {
    const character = this.#shift();
    return rangesOf(character === '\\' ? this.#escape() : only(character.codePointAt(0)!));
  }

  #escape(): CharacterSet {
    const character = this.#shift();
    const known = classes[character];
    if (known) return known;
    const control = controls[character];
    if (control !== undefined) return only(control);
    if (character === 'x' || character === 'u') return only(this.#hexadecimal(character === 'x' ? 2 : 4));
    if (/[A-Za-z0-9]/.test(character)) throw new PatternError(`has "\\${character}", which not every engine supports`);
    return only(character.codePointAt(0)!);
  }

  #hexadecimal(length: number): number {
    const rest = this.#characters.slice(this.#at, this.#at + 10).join('');
    const [, braced] = /^\{([0-9A-Fa-f]{1,6})\}/.exec(rest) ?? [];
    const digits = braced ?? rest.slice(0, length);
    if (braced === undefined && !(digits.length === length && /^[0-9A-Fa-f]+$/.test(digits))) {
      throw new PatternError('has an escape that lacks its hexadecimal digits');
    }
    this.#at += braced === undefined ? length : braced.length + 2;
    return Number.parseInt(digits, 16);
  }

  #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  #shift(): string {
    const character = this.#next();
    if (character === undefined) throw new PatternError('ends too early');
    this.#at += 1;
    return character;
  }
}

function only(code: number): CharacterSet {
  return { ranges: [[code, code]], negated: false };
}
