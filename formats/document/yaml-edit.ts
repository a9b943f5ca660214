import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import {
  colonOf,
  contentEnd,
  dashOf,
  extentOf,
  inAnotherWay,
  isEmpty,
  type ParsedMap,
  type ParsedPair,
  type ParsedSeq,
  pairEnd,
  pairOf,
  styleOf,
} from './yaml-nodes.ts';
import { type ScalarStyle, type Writable, yamlBlock, yamlFlow, yamlScalar } from './yaml-write.ts';

/** A piece of a text, by offsets, and what is to be there instead. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Changes the text of a YAML document in places, so that every other byte of it stays. Each change returns the new
 * text. They know how collections are written in lines and in brackets; what is written by aliases or in otherwise rare
 * ways is refused, or comes out wrongly: so whoever changes a document reads it again, and compares.
 */
export class YamlEditor {
  readonly #text: string;
  readonly #newline: string;
  /** Whether it is JSON, in which names and texts are in double quotes. */
  readonly #isJson: boolean;

  /** `document` is what `text` was parsed to, with its source tokens. */
  constructor(text: string, document: Document.Parsed) {
    this.#text = text;
    this.#newline = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
    const first = isMap(document.contents) && document.contents.flow ? document.contents.items[0]?.key : undefined;
    this.#isJson = isScalar(first) && first.type === 'QUOTE_DOUBLE';
  }

  /** Adds a value behind those of the list `name` of a mapping; makes the list where it is absent or empty. */
  addItem(map: ParsedMap, name: string, value: Writable): string {
    const pair = pairOf(map, name);
    if (!pair) return this.addField(map, name, [value]);
    const list = pair.value;
    if (!isSeq(list) || list.items.length === 0) return this.#fill(map, pair, [value]);
    const last = list.items.at(-1) as ParsedNode;
    const style = isScalar(last) ? styleOf(last) : 'plain';
    if (list.flow) return this.#splice(this.#inFlow(last.range[0], last.range[1], this.#flow(value, style)));
    const dash = dashOf(list as ParsedSeq, list.items.length - 1);
    const gap = this.#text.slice(dash + 1, last.range[0]);
    const spaces = typeof value === 'string' && /^ +$/.test(gap) ? gap : ' ';
    const lines = yamlBlock([value], this.#column(dash), style);
    lines[0] = lines[0]!.replace('- ', () => `-${spaces}`);
    return this.#splice(this.#linesBehind(contentEnd(list as ParsedSeq), lines));
  }

  /** Adds a field to a mapping: behind the field `after`, otherwise behind its last one. */
  addField(map: ParsedMap, name: string, value: Writable, style: ScalarStyle = 'plain', after?: string): string {
    const before = (after === undefined ? undefined : pairOf(map, after)) ?? map.items.at(-1);
    if (map.flow) {
      const text = this.#flow({ [name]: value }, style).slice(1, -1);
      if (!before) return this.#splice({ from: map.range[0] + 1, to: map.range[0] + 1, text });
      return this.#splice(this.#inFlow(before.key.range[0], pairEnd(before), text));
    }
    if (!before) throw inAnotherWay(name);
    const lines = yamlBlock({ [name]: value }, this.#column(map.items[0]!.key.range[0]), style);
    return this.#splice(this.#linesBehind(pairEnd(before), lines));
  }

  /** Sets a field to a text, in the quotes that the one has that is there; a new one is written in `style`. */
  setField(map: ParsedMap, name: string, value: string, style: ScalarStyle, after?: string): string {
    const pair = pairOf(map, name);
    if (!pair) {
      const fields = [...map.items].length;
      return fields === 0 ? this.addField(map, name, value, style) : this.addField(map, name, value, style, after);
    }
    const node = pair.value;
    if (isEmpty(node)) {
      const at = colonOf(pair, name) + 1;
      return this.#splice({ from: at, to: at, text: ` ${this.#scalar(value, style)}` });
    }
    if (!isScalar(node) && !isAlias(node)) throw inAnotherWay(name);
    const [from, to] = node.range;
    const end = this.#text[to - 1] === '\n' ? this.#newline : '';
    return this.#splice({ from, to, text: this.#scalar(value, isScalar(node) ? styleOf(node) : style) + end });
  }

  /** Fills a field that is there and empty with fields of its own. */
  fillField(map: ParsedMap, name: string, value: Exclude<Writable, string>, style: ScalarStyle): string {
    const pair = pairOf(map, name);
    return pair ? this.#fill(map, pair, value, style) : this.addField(map, name, value, style);
  }

  /**
   * Removes an entry of the list, or a field of the mapping, that is the field `name` of a mapping; all of its line
   * goes.
   */
  removeEntry(map: ParsedMap, name: string, index: number): string {
    const pair = pairOf(map, name);
    const inner = pair?.value;
    if (!pair || !isCollection(inner) || inner.items[index] === undefined) throw inAnotherWay(name);
    const entries = inner.items.map((_, at) => extentOf(inner as ParsedMap | ParsedSeq, at));
    const [start, end] = entries[index]!;
    if (inner.flow) return this.#splice(this.#fromFlow(entries, index));
    const from = this.#lineStart(start);
    if (this.#text.slice(from, start).trim() !== '') throw inAnotherWay(name);
    const line = { from, to: this.#lineEnd(end), text: '' };
    if (entries.length > 1) return this.#splice(line);
    const at = colonOf(pair, name) + 1;
    return this.#splice({ from: at, to: at, text: isSeq(inner) ? ' []' : ' {}' }, line);
  }

  /** Writes a collection where a field has none, or an empty one. */
  #fill(map: ParsedMap, pair: ParsedPair, value: Exclude<Writable, string>, style: ScalarStyle = 'plain'): string {
    const { value: node, key } = pair;
    const name = String(key);
    const isBare = isEmpty(node) || (isScalar(node) && node.value === null);
    if (!isBare && !(isCollection(node) && node.flow && node.items.length === 0)) throw inAnotherWay(name);
    const colon = colonOf(pair, name) + 1;
    const [from, to] = isEmpty(node) ? [colon, colon] : [node!.range[0], node!.range[1]];
    const inner = isBare ? '' : this.#text.slice(from + 1, to - 1);
    if (inner.trim() !== '') {
      // What it has are comments.
      return this.#splice({ from: to - 1, to: to - 1, text: this.#flow(value, style).slice(1, -1) });
    }
    if (map.flow) {
      const lead = this.#text.slice(colon, from) === '' ? ' ' : '';
      return this.#splice({ from, to, text: lead + this.#flow(value, style) });
    }
    const lines = yamlBlock(value, this.#column(key.range[0]) + 2, style);
    const emptied = { from: from === to ? from : colon, to, text: '' };
    return this.#splice(emptied, this.#linesBehind(to, lines));
  }

  #flow(value: Writable, style: ScalarStyle): string {
    return yamlFlow(value, style, this.#isJson);
  }

  #scalar(value: string, style: ScalarStyle): string {
    return yamlScalar(value, this.#isJson ? 'double' : style);
  }

  /** Puts lines behind the line on which something ends. */
  #linesBehind(end: number, lines: readonly string[]): Splice {
    const at = this.#lineEnd(end);
    const isOpen = at > 0 && this.#text[at - 1] !== '\n';
    const text = isOpen
      ? lines.map((line) => this.#newline + line).join('')
      : lines.map((line) => line + this.#newline).join('');
    return { from: at, to: at, text };
  }

  /** Puts an entry into brackets behind another one: on a line of its own where that has one, and below its comment. */
  #inFlow(start: number, end: number, entry: string): Splice {
    const indent = this.#text.slice(this.#lineStart(start), start);
    if (indent.trim() !== '' || this.#lineStart(start) === 0) return { from: end, to: end, text: `, ${entry}` };
    const rest = this.#text.slice(end, this.#lineEnd(end));
    const isComma = rest.trimStart().startsWith(',');
    const tail = rest
      .trimStart()
      .slice(isComma ? 1 : 0)
      .trim();
    if (!rest.endsWith('\n') || !(tail === '' || tail.startsWith('#'))) {
      return { from: end, to: end, text: `,${this.#newline}${indent}${entry}` };
    }
    const line = `${indent}${entry}${isComma ? ',' : ''}${this.#newline}`;
    return { from: end, to: end + rest.length, text: (isComma ? '' : ',') + rest + line };
  }

  /** Takes an entry out of brackets with the comma that belongs to it, and with its line where it has one to itself. */
  #fromFlow(entries: readonly (readonly [start: number, end: number])[], index: number): Splice {
    const [start, end] = entries[index]!;
    const behind = /^\s*,[ \t]*/.exec(this.#text.slice(end))?.[0] ?? '';
    const lineStart = this.#lineStart(start);
    const to = end + behind.length;
    const rest = /^[ \t]*(?:#[^\n]*)?\r?\n/.exec(this.#text.slice(to))?.[0];
    if (rest !== undefined && behind !== '' && lineStart > 0 && this.#text.slice(lineStart, start).trim() === '') {
      return { from: lineStart, to: to + rest.length, text: '' };
    }
    const before = index > 0 ? entries[index - 1]![1] : undefined;
    if (behind === '' && before !== undefined && /^\s*,\s*$/.test(this.#text.slice(before, start))) {
      return { from: before, to: end, text: '' };
    }
    return { from: start, to, text: '' };
  }

  #splice(...splices: readonly Splice[]): string {
    let [result, at] = ['', 0];
    for (const { from, to, text } of splices) {
      result += this.#text.slice(at, from) + text;
      at = to;
    }
    return result + this.#text.slice(at);
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  #lineEnd(at: number): number {
    if (this.#text[at - 1] === '\n') return at;
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end + 1;
  }

  #column(at: number): number {
    return at - this.#lineStart(at);
  }
}
