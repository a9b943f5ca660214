import { type FlowRules, plainFlow, quoted } from './plain-flow.ts';
import { plainScalar } from './scalars.ts';

/** Holds one document of a YAML stream. */
export interface YamlDocument {
  readonly value: unknown;
  /** Where its content begins in the text, in UTF-16 code units from 0. */
  readonly start: number;
}

/** How much a text may have, and what is thrown where it has more. */
export interface PlainLimits {
  readonly documents: number;
  readonly values: number;
  readonly excess: (of: 'documents' | 'values', offset: number) => Error;
}

const none: PlainLimits = { documents: Infinity, values: Infinity, excess: notPlain };

/** How deep collections are read here. */
const DEPTH = 100;

const ENTRY = /^([A-Za-z_$][\w./$-]{0,250}):(?: +(?! )(.*))?$/;
const PLAIN = /^(?:[\w./$(\\=+^;~]|-(?=[^ ]))/;

/**
 * Reads the documents of a YAML text that is as plain as programs write it: blocks, scalars of one line or folded plain
 * ones, literal texts; nothing that is wrong, repeated, or of another form. That takes a tenth of the time of a whole
 * reader. Returns undefined for every other text. Throws what `excess` makes of the place where a text has more
 * documents or values than it may.
 */
export function parsePlainYaml(text: string, limits: PlainLimits = none): YamlDocument[] | undefined {
  // Carriage returns, tabs, other controls and byte order marks are left to a whole reader.
  if (!text.endsWith('\n') || /[^\n -~\u00a0-\ufefe\uff00-\uffff]/.test(text)) return undefined;
  try {
    return new PlainReader(text, limits).documents();
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}

/** Tells that a text is of another form. */
class NotPlainError extends Error {}

function notPlain(): never {
  throw new NotPlainError();
}

/** Most lines that are kept apart until they are one text: each takes more memory than it has letters. */
const LINES = 1000;

class PlainReader {
  readonly #text: string;
  /** Where the line begins. */
  #offset = 0;
  /** The line, and where it ends. A text has more of them than are kept in memory at once. */
  #line = '';
  #end = 0;
  /** Spaces before the content of the line; -1 where the document ends. */
  #indent = -1;
  #values = 0;
  readonly #limits: PlainLimits;
  readonly #flow: FlowRules;

  constructor(text: string, limits: PlainLimits) {
    this.#text = text;
    this.#limits = limits;
    this.#flow = { scalarOf, isKey, refuse: notPlain, count: () => this.#count() };
    this.#read();
  }

  documents(): YamlDocument[] {
    const found: YamlDocument[] = [];
    const { documents, excess } = this.#limits;
    while (!this.#isOver) {
      this.#settle();
      if (this.#indent >= 0) found.push({ start: this.#offset + this.#indent, value: this.#block(0) });
      if (this.#indent >= 0) notPlain();
      if (found.length > documents) throw excess('documents', this.#offset);
      if (!this.#isOver) this.#pass();
    }
    return found;
  }

  get #isOver(): boolean {
    return this.#offset >= this.#text.length;
  }

  #read(): void {
    this.#end = this.#text.indexOf('\n', this.#offset);
    this.#line = this.#text.slice(this.#offset, this.#end);
  }

  #pass(): void {
    this.#offset = this.#end + 1;
    if (!this.#isOver) this.#read();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values) throw this.#limits.excess('values', this.#offset);
  }

  /** Goes to the next line that has content, this one included. */
  #settle(): void {
    this.#indent = -1;
    for (; !this.#isOver; this.#pass()) {
      const line = this.#line;
      const indent = indentOf(line);
      if (indent === line.length || line[indent] === '#') continue;
      if (indent === 0 && line === '---') return;
      if (indent === 0 && /^(?:---|\.\.\.|%)/.test(line)) notPlain();
      this.#indent = indent;
      return;
    }
  }

  #block(depth: number): unknown {
    if (depth > DEPTH) notPlain();
    return isItem(this.#line, this.#indent) ? this.#sequence(depth) : this.#mapping(depth);
  }

  #mapping(depth: number): Record<string, unknown> {
    const indent = this.#indent;
    const map: Record<string, unknown> = {};
    while (this.#indent === indent) {
      const [, key, stated = ''] = ENTRY.exec(this.#line.slice(indent)) ?? notPlain();
      if (key === undefined || !isKey(key, map)) notPlain();
      map[key] = this.#value(stated, indent, depth, true);
    }
    if (this.#indent > indent) notPlain();
    return map;
  }

  #sequence(depth: number): unknown[] {
    const indent = this.#indent;
    const items: unknown[] = [];
    while (this.#indent === indent && isItem(this.#line, indent)) {
      const rest = this.#line.slice(indent + 1);
      const stated = rest.slice(indentOf(rest));
      if (isItem(stated, 0) || ENTRY.test(stated)) {
        // What begins in the line of the item continues below its first letter.
        this.#indent = this.#line.length - stated.length;
        this.#line = ' '.repeat(this.#indent) + stated;
        items.push(this.#block(depth + 1));
      } else items.push(this.#value(stated, indent, depth, false));
    }
    if (this.#indent > indent) notPlain();
    return items;
  }

  /** Reads what is stated after a key or a dash at `indent`, and goes to the next line with content. */
  #value(line: string, indent: number, depth: number, ofKey: boolean): unknown {
    this.#count();
    const stated = withoutEnd(line);
    this.#pass();
    if (stated === '|' || stated === '|-') return this.#literal(indent, stated === '|' ? '\n' : '');
    if (PLAIN.test(stated)) return this.#plain(stated, indent);
    this.#settle();
    if (stated === '') {
      const isBelow = this.#indent > indent || (ofKey && this.#indent === indent && isItem(this.#line, indent));
      return isBelow ? this.#block(depth + 1) : null;
    }
    return quoted(stated) ?? (/^[[{]/.test(stated) ? plainFlow(stated, DEPTH - depth, this.#flow) : notPlain());
  }

  #plain(stated: string, indent: number): unknown {
    const parts = new Parts(' ');
    const add = (part: string): void => {
      if (part.includes(': ') || part.includes(' #') || part.endsWith(':')) notPlain();
      parts.add(part);
    };
    add(stated);
    for (; !this.#isOver; this.#pass()) {
      const line = this.#line;
      const lead = indentOf(line);
      if (lead <= indent || lead === line.length) break;
      if (/[-?:#]/.test(line[lead]!)) notPlain();
      add(withoutEnd(line.slice(lead)));
    }
    this.#settle();
    return parts.count === 1 ? scalarOf(stated) : parts.joined();
  }

  #literal(indent: number, end: string): string {
    const lines = new Parts('\n');
    let blanks = 0;
    if (this.#isOver) notPlain();
    const own = indentOf(this.#line);
    if (own <= indent || own === this.#line.length) notPlain();
    for (; !this.#isOver; this.#pass()) {
      const line = this.#line;
      const lead = indentOf(line);
      const isBlank = lead === line.length;
      if (isBlank ? lead > own : lead > indent && lead < own) notPlain();
      if (!isBlank && lead < own) break;
      if (isBlank) blanks += 1;
      else {
        lines.add('\n'.repeat(blanks) + line.slice(own));
        blanks = 0;
      }
    }
    this.#settle();
    return lines.joined() + end;
  }
}

/** Puts parts of a text together. */
class Parts {
  readonly #between: string;
  #done: string | undefined;
  #parts: string[] = [];
  count = 0;

  constructor(between: string) {
    this.#between = between;
  }

  add(part: string): void {
    this.#parts.push(part);
    this.count += 1;
    if (this.#parts.length === LINES) this.#join();
  }

  joined(): string {
    if (this.#parts.length > 0) this.#join();
    return this.#done ?? '';
  }

  #join(): void {
    const more = this.#parts.join(this.#between);
    this.#done = this.#done === undefined ? more : this.#done + this.#between + more;
    this.#parts = [];
  }
}

/** Decides whether a key is itself, and new in its mapping. */
function isKey(key: string, map: object): boolean {
  return key !== '__proto__' && !Object.hasOwn(map, key) && scalarOf(key) === key;
}

function scalarOf(text: string): unknown {
  // No value that is none of a string begins so and is so long.
  return text.length > 5 && /^[A-Za-z_/$(\\]/.test(text) ? text : plainScalar(text, notPlain);
}

function isItem(line: string, indent: number): boolean {
  return line[indent] === '-' && (line.length === indent + 1 || line[indent + 1] === ' ');
}

function indentOf(line: string): number {
  let count = 0;
  while (line[count] === ' ') count += 1;
  return count;
}

function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}
