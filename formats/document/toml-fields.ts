import type { FieldExtents, TextExtent } from './fields.ts';

/**
 * Finds where each key of a TOML document is. A table is where its header is; a table that no header names is left out.
 * The document must have been accepted by a TOML parser before: this only looks for positions, so that an error about a
 * value can name one. It ends on any text, and throws on none.
 */
export function locateToml(text: string): FieldExtents {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #found = new Map<string, TextExtent>();
  readonly #counts = new Map<string, number>();
  #at = 0;
  /** Behind the key that was read last. */
  #nameEnd = 0;
  #table: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): FieldExtents {
    for (;;) {
      this.#skipBlank(true);
      if (this.#at >= this.#text.length) return this.#found;
      if (this.#text[this.#at] === '[') this.#header();
      else this.#pair(this.#table);
    }
  }

  #header(): void {
    const start = this.#at;
    const many = this.#text.startsWith('[[', this.#at);
    this.#at += many ? 2 : 1;
    const names = this.#key();
    this.#at = Math.max(this.#text.indexOf(']', this.#at) + (many ? 2 : 1), start + 1);
    this.#table = many ? this.#counted(names) : this.#indexed(names);
    this.#note(this.#table, start, this.#at);
  }

  /** The path of the entry that a header `[[names]]` adds. */
  #counted(names: readonly string[]): string[] {
    const path = [...this.#indexed(names.slice(0, -1)), names.at(-1) ?? ''];
    const count = this.#counts.get(path.join('.')) ?? 0;
    this.#counts.set(path.join('.'), count + 1);
    return [...path, String(count)];
  }

  /** A header's names, with the number of the latest entry behind each name of an array of tables. */
  #indexed(names: readonly string[]): string[] {
    const path: string[] = [];
    for (const name of names) {
      path.push(name);
      const count = this.#counts.get(path.join('.'));
      if (count !== undefined) path.push(String(count - 1));
    }
    return path;
  }

  #pair(table: readonly string[]): void {
    const start = this.#at;
    const path = [...table, ...this.#key()];
    const nameEnd = this.#nameEnd;
    this.#skipBlank(false);
    if (this.#text[this.#at] === '=') this.#at += 1;
    else if (this.#at === start) this.#at += 1;
    this.#value(path);
    this.#note(path, start, this.#at, nameEnd);
  }

  #key(): string[] {
    const names: string[] = [];
    for (;;) {
      this.#skipBlank(false);
      const quote = this.#text[this.#at];
      if (quote === '"' || quote === "'") {
        names.push(this.#string());
      } else {
        const bare = /[A-Za-z0-9_-]*/y;
        bare.lastIndex = this.#at;
        const name = bare.exec(this.#text)?.[0] ?? '';
        this.#at += name.length;
        names.push(name);
      }
      this.#nameEnd = this.#at;
      this.#skipBlank(false);
      if (this.#text[this.#at] !== '.') return names;
      this.#at += 1;
    }
  }

  #value(path: readonly string[]): void {
    this.#skipBlank(true);
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") this.#string();
    else if (first === '[') this.#list(']', (index) => this.#entry([...path, String(index)]));
    else if (first === '{') this.#list('}', () => this.#pair(path));
    else {
      // A date may have its time behind a blank.
      const bare = /(?:\d{4}-\d\d-\d\d \d\d:)?[^\s,\]}#]*/y;
      bare.lastIndex = this.#at;
      this.#at += bare.exec(this.#text)?.[0].length ?? 0;
    }
  }

  #entry(path: readonly string[]): void {
    const start = this.#at;
    this.#value(path);
    this.#note(path, start, this.#at);
  }

  #list(end: string, item: (index: number) => void): void {
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#skipBlank(true);
      if (this.#at >= this.#text.length) return;
      if (this.#text[this.#at] === end) {
        this.#at += 1;
        return;
      }
      const before = this.#at;
      item(index);
      this.#skipBlank(true);
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#at === before) this.#at += 1;
    }
  }

  #string(): string {
    const quote = this.#text[this.#at] ?? '';
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = long ? quote.repeat(3) : quote;
    const start = this.#at + end.length;
    let at = start;
    while (at < this.#text.length && !this.#text.startsWith(end, at)) {
      at += quote === '"' && this.#text[at] === '\\' ? 2 : 1;
    }
    this.#at = at + end.length;
    while (long && this.#text[this.#at] === quote) this.#at += 1;
    return this.#text.slice(start, at);
  }

  #skipBlank(lines: boolean): void {
    const blank = lines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /[ \t]*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #note(path: readonly string[], start: number, end: number, nameEnd: number = end): void {
    const name = path.join('.');
    if (!this.#found.has(name)) this.#found.set(name, { start, nameEnd, end });
  }
}
