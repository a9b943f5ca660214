import type { Style } from './style.ts';
import { columnsOf, wrap } from './wrap.ts';

/** The columns of a text that is read, where the terminal has more. */
const COLUMNS = 90;

/**
 * Sets a page of the documentation for a terminal: the part of Markdown that these pages use. Code stays as it is; all
 * else is broken between words. A table that is too wide becomes a list.
 */
export function markdownLines(text: string, style: Style): string[] {
  const columns = Math.min(style.width, COLUMNS);
  return blocksOf(text).flatMap((block, at) => [...(at === 0 ? [] : ['']), ...linesOf(block, columns, style)]);
}

/** A part of a page, with its lines as they stand there. */
interface Block {
  readonly kind: 'heading' | 'code' | 'table' | 'list' | 'text';
  readonly lines: readonly string[];
}

function blocksOf(text: string): Block[] {
  const lines = withoutComments(text).split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.trim() === '') at += 1;
    else {
      const kind = kindOf(line);
      const end = endOf(lines, at, kind);
      blocks.push({ kind, lines: lines.slice(at, end) });
      at = end;
    }
  }
  return blocks;
}

function kindOf(line: string): Block['kind'] {
  if (/^#{1,6} /.test(line)) return 'heading';
  if (isFence(line)) return 'code';
  if (line.startsWith('|')) return 'table';
  return isItem(line) ? 'list' : 'text';
}

function isFence(line: string): boolean {
  return line.trimStart().startsWith('```');
}

function isItem(line: string): boolean {
  return /^ *(?:[-*]|\d{1,3}\.) /.test(line);
}

/**
 * Where a block ends: a list also has lines that are indented, and empty ones before these; a text ends where another
 * block begins.
 */
function endOf(lines: readonly string[], from: number, kind: Block['kind']): number {
  const after = lines.slice(from + 1);
  const length = (isEnd: (line: string, at: number) => boolean): number => {
    const end = after.findIndex(isEnd);
    return end < 0 ? after.length : end;
  };
  if (kind === 'heading') return from + 1;
  if (kind === 'code') return Math.min(from + 2 + length(isFence), lines.length);
  if (kind === 'table') return from + 1 + length((line) => !line.startsWith('|'));
  if (kind === 'text') return from + 1 + length((line) => line.trim() === '' || kindOf(line) !== 'text');
  const goesOn = (line: string | undefined): boolean => line !== undefined && (line.startsWith('  ') || isItem(line));
  const end = length((line, at) => line.trim() === '' && !goesOn(after[at + 1]));
  return from + 1 + end;
}

function linesOf({ kind, lines }: Block, columns: number, style: Style): string[] {
  if (kind === 'heading') return [style.bold(inline(lines[0]!.replace(/^#+ /, ''), plainStyle))];
  if (kind === 'code') return codeLines(lines, '    ');
  if (kind === 'table') return tableLines(lines, columns, style);
  if (kind === 'list') return listLines(lines, columns, style);
  return wrap(inline(lines.map((line) => line.trim()).join(' '), style), columns);
}

function codeLines(lines: readonly string[], indent: string): string[] {
  const own = /^ */.exec(lines[0]!)![0].length;
  return lines
    .filter((line) => !isFence(line))
    .map((line) => `${indent}${line.slice(Math.min(own, line.length - line.trimStart().length))}`.trimEnd());
}

/** Entries, each broken below its own text; code in an entry stays as it is. */
function listLines(lines: readonly string[], columns: number, style: Style): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const indent = ' '.repeat(line.length - line.trimStart().length);
    if (isFence(line)) {
      const end = lines.findIndex((other, index) => index > at && isFence(other));
      shown.push(...codeLines(lines.slice(at, end < 0 ? lines.length : end + 1), `${indent}    `));
      at = end < 0 ? lines.length : end + 1;
    } else if (line.trim() === '') {
      shown.push('');
      at += 1;
    } else {
      const rest = lines.slice(at + 1).findIndex((other) => other.trim() === '' || isItem(other) || isFence(other));
      const end = rest < 0 ? lines.length : at + 1 + rest;
      const mark = /^ *(?:[-*]|\d{1,3}\.) /.exec(line)?.[0] ?? indent;
      const words = inline(
        [line.slice(mark.length), ...lines.slice(at + 1, end)].map((one) => one.trim()).join(' '),
        style,
      );
      shown.push(...wrap(`${mark}${words}`, columns, ' '.repeat(mark.length)));
      at = end;
    }
  }
  return shown;
}

function tableLines(lines: readonly string[], columns: number, style: Style): string[] {
  const rows = lines.filter((_, at) => at !== 1).map((line) => cellsOf(line).map((cell) => inline(cell, style)));
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  const [heads = [], ...body] = rows;
  if (total <= columns) {
    return rows.map((row, at) => {
      const line = row.map((cell, column) => cell + ' '.repeat(widths[column]! - columnsOf(cell))).join('  ');
      return at === 0 ? style.bold(line.trimEnd()) : line.trimEnd();
    });
  }
  return body.flatMap(([first = '', ...cells]) => [
    ...wrap(style.bold(first), columns, '  '),
    ...cells.flatMap((cell, at) => {
      const head = cells.length > 1 && heads[at + 1] !== '' ? `${heads[at + 1]}: ` : '';
      return cell === '' ? [] : wrap(`    ${head}${cell}`, columns, '    ');
    }),
  ]);
}

/** The cells of a row; a bar behind a backslash, and one in code, is no end of a cell. */
function cellsOf(line: string): string[] {
  const cells: string[] = [''];
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  for (let at = 0; at < inner.length; at += 1) {
    const character = inner[at]!;
    if (character === '\\' && inner[at + 1] === '|') {
      cells[cells.length - 1] += '|';
      at += 1;
    } else if (character === '|') cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => cell.trim());
}

/** Code and strong words in bold, links with what they lead to, where that is another page or a server. */
function inline(text: string, style: Pick<Style, 'bold'>): string {
  return text
    .replace(/!\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, (_, words: string, target: string) => linkWords(words, target))
    .split('`')
    .map((part, at, parts) => {
      // The last part of an even number of parts stands behind a backtick that opens nothing.
      if (at % 2 === 1) return at === parts.length - 1 ? `\`${part}` : style.bold(part);
      return part
        .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => style.bold(words))
        .replace(/(^|[\s(])[*_]([^*_\s][^*_]*)[*_](?=$|[\s).,:;?!])/g, '$1$2');
    })
    .join('');
}

const plainStyle = { bold: (text: string): string => text };

function linkWords(words: string, target: string): string {
  if (/^https?:/.test(target)) return words === target ? words : `${words} (${target})`;
  const page = /^([a-z0-9-]+)\.md(#.*)?$/.exec(target);
  return page === null ? words : `${words} (docs/${page[1]}.md${page[2] ?? ''})`;
}

/** Takes out comments of HTML. */
function withoutComments(text: string): string {
  let rest = text;
  let kept = '';
  for (let at = rest.indexOf('<!--'); at >= 0; at = rest.indexOf('<!--')) {
    const end = rest.indexOf('-->', at);
    if (end < 0) break;
    kept += rest.slice(0, at);
    rest = rest.slice(end + 3);
  }
  return kept + rest;
}
