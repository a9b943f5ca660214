import { lineOf, parsed, visit } from './architecture/code.ts';

/** A text in a source, and the line that it begins on. */
export interface TextInCode {
  readonly line: number;
  readonly text: string;
}

/** Stands for a value that a template puts into its text. */
const VALUE = 'VALUE';

/**
 * Texts of four words or more between quotes: messages, hints, help. A text that is added to another one is read with
 * it.
 */
export function textsIn(source: string): TextInCode[] {
  const found: TextInCode[] = [];
  const parts = new Set<number>();
  const add = (node: Node): void => {
    if (parts.has(node.start)) return;
    const text = textOf(node, parts).trim();
    if (text.split(/\s+/).length >= 4 && /[a-z]{2} [a-z]/i.test(text))
      found.push({ line: lineOf(source, node.start), text });
  };
  visit(source, {
    BinaryExpression: (node) => {
      if (node.operator === '+') add(node as unknown as Node);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') add(node as unknown as Node);
    },
    TemplateLiteral: (node) => add(node as unknown as Node),
  });
  return found;
}

/** The prose of comments: each block, or run of lines, as one text. */
export function commentsIn(source: string): TextInCode[] {
  const runs: { start: number; end: number; text: string }[] = [];
  for (const { type, value, start, end } of parsed(source).comments) {
    const text = value
      .replace(/\n\s*\*/g, '\n')
      .replace(/^\*/, '')
      .trim();
    const last = runs.at(-1);
    if (type === 'Line' && last !== undefined && /^\s*$/.test(source.slice(last.end, start))) {
      runs[runs.length - 1] = { start: last.start, end, text: `${last.text}\n${text}` };
    } else runs.push({ start, end, text });
  }
  return runs.map(({ start, text }) => ({ line: lineOf(source, start), text: text.replace(/`[^`]*`/g, VALUE) }));
}

/** Lines of comments with more than `most` columns, where a word could stand on the next one. */
export function wideComments(source: string, most: number): number[] {
  const lines = source.split('\n');
  return parsed(source).comments.flatMap(({ start, end }) => {
    const [first, last] = [lineOf(source, start), lineOf(source, end)];
    return lines
      .slice(first - 1, last)
      .flatMap((line, at) => (line.length > most && /\s\S+\s+\S+$/.test(line) ? [first + at] : []));
  });
}

/** What of a node of the parser is read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

function textOf(node: Node, parts: Set<number>): string {
  parts.add(node.start);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : VALUE;
  if (node.type === 'TemplateLiteral') return node.quasis!.map(({ value }) => value.cooked ?? '').join(VALUE);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return VALUE;
  return textOf(node.left!, parts) + textOf(node.right!, parts);
}
