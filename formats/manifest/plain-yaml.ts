import { type FlowRules, plainFlow, quoted } from './plain-flow.ts';
import { plainScalar } from './scalars.ts';

/** Holds one document of a YAML stream. */
export interface YamlDocument {
  readonly value: unknown;
  /** Where its content begins in the text, in UTF-16 code units from 0. */
  readonly start: number;
}

/** How deep collections are read here, and how many values of a text. */
const limits = { depth: 100, values: 1_000_000 };

const ENTRY = /^([A-Za-z_$][\w./$-]{0,250}):(?: +(?! )(.*))?$/;
const PLAIN = /^(?:[\w./$(\\=+^;~]|-(?=[^ ]))/;

/**
 * Reads the documents of a YAML text that is as plain as programs write it: blocks, scalars of one line or folded plain ones, literal
 * texts; nothing that is wrong, repeated, or of another form. That takes a tenth of the time of a whole reader. Returns undefined for
 * every other text.
 */
export function parsePlainYaml(text: string): YamlDocument[] | undefined {
  // Carriage returns, tabs, other controls and byte order marks are left to a whole reader.
  if (!text.endsWith('\n') || /[^\n -~\u00a0-\ufefe\uff00-\uffff]/.test(text)) return undefined;
  try {
    return new PlainReader(text).documents();
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

const flow: FlowRules = { scalarOf, isKey, refuse: notPlain };

class PlainReader {
  readonly #lines: string[];
  #at = 0;
  /** Where the line begins. */
  #offset = 0;
  /** Spaces before the content of the line; -1 where the document ends. */
  #indent = -1;
  #values = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  documents(): YamlDocument[] {
    const found: YamlDocument[] = [];
    while (this.#at < this.#lines.length) {
      this.#settle();
      if (this.#indent >= 0) found.push({ start: this.#offset + this.#indent, value: this.#block(0) });
      if (this.#indent >= 0) notPlain();
      if (this.#at < this.#lines.length) this.#pass();
    }
    return found;
  }

  get #line(): string {
    return this.#lines[this.#at]!;
  }

  #pass(): void {
    this.#offset += this.#line.length + 1;
    this.#at += 1;
  }

  /** Goes to the next line that has content, this one included. */
  #settle(): void {
    this.#indent = -1;
    for (; this.#at < this.#lines.length; this.#pass()) {
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
    if (depth > limits.depth) notPlain();
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
        // What begins in the line of the item goes on below its first letter.
        this.#indent = this.#line.length - stated.length;
        this.#lines[this.#at] = ' '.repeat(this.#indent) + stated;
        items.push(this.#block(depth + 1));
      } else items.push(this.#value(stated, indent, depth, false));
    }
    if (this.#indent > indent) notPlain();
    return items;
  }

  /** Reads what is stated after a key or a dash at `indent`, and goes to the next line with content. */
  #value(line: string, indent: number, depth: number, ofKey: boolean): unknown {
    this.#values += 1;
    if (this.#values > limits.values) notPlain();
    const stated = withoutEnd(line);
    this.#pass();
    if (stated === '|' || stated === '|-') return this.#literal(indent, stated === '|' ? '\n' : '');
    if (PLAIN.test(stated)) return this.#plain(stated, indent);
    this.#settle();
    if (stated === '') {
      const isBelow = this.#indent > indent || (ofKey && this.#indent === indent && isItem(this.#line, indent));
      return isBelow ? this.#block(depth + 1) : null;
    }
    return quoted(stated) ?? (/^[[{]/.test(stated) ? plainFlow(stated, limits.depth - depth, flow) : notPlain());
  }

  #plain(stated: string, indent: number): unknown {
    const parts = [stated];
    for (; this.#at < this.#lines.length; this.#pass()) {
      const line = this.#line;
      const lead = indentOf(line);
      if (lead <= indent || lead === line.length) break;
      if (/[-?:#]/.test(line[lead]!)) notPlain();
      parts.push(withoutEnd(line.slice(lead)));
    }
    if (parts.some((part) => part.includes(': ') || part.includes(' #') || part.endsWith(':'))) notPlain();
    this.#settle();
    return parts.length === 1 ? scalarOf(stated) : parts.join(' ');
  }

  #literal(indent: number, end: string): string {
    const lines: string[] = [];
    if (this.#at === this.#lines.length) notPlain();
    const own = indentOf(this.#line);
    if (own <= indent || own === this.#line.length) notPlain();
    for (; this.#at < this.#lines.length; this.#pass()) {
      const line = this.#line;
      const lead = indentOf(line);
      const isBlank = lead === line.length;
      if (isBlank ? lead > own : lead > indent && lead < own) notPlain();
      if (!isBlank && lead < own) break;
      lines.push(line.slice(own));
    }
    while (lines.at(-1) === '') lines.pop();
    this.#settle();
    return lines.join('\n') + end;
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
