import { eastAsianWidth } from 'get-east-asian-width';
import type { Position } from '../../lib/index.ts';
import type { Style } from './style.ts';

/** Columns between the stops of tabs. */
const TAB = 8;
/** Columns that an excerpt takes at least, however narrow the terminal is. */
const NARROWEST = 24;
const CUT = '…';

/** What a terminal shows in one piece: a character with all that modifies it, or an escape. */
interface Cell {
  /** Offsets in the line, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Columns. A tab has the most that it can take. */
  readonly width: number;
}

/**
 * Shows a line of a text, and carets below what `position` names, as two lines for a terminal of `columns` columns. A
 * line that does not fit is cut around the position. Tabs stay tabs in both lines, wide characters have two carets, and
 * what a terminal would obey or hide is shown as an escape.
 */
export function excerpt(
  line: string,
  { line: number, column, length }: Position,
  columns: number,
  style: Style,
): string[] {
  const gutter = `${number} | `;
  // The last column stays free: some terminals begin a new line there.
  const room = Math.max(NARROWEST, columns - 1) - gutter.length;
  const start = Math.min(column - 1, line.length);
  const from = Math.max(0, start - room);
  const to = Math.min(line.length, start + 2 * room);
  const cells = cellsOf(line.slice(from, to), from);
  const span = { start, end: start + length };
  const first = firstShown(cells, span, room, from > 0);
  const isCut = { left: first > 0 || from > 0, right: to < line.length };
  const { text, carets } = drawn(cells.slice(first), span, { left: gutter.length, room, isCut });
  return [`${style.dim(gutter)}${text}`, `${style.dim(`${' '.repeat(gutter.length - 2)}| `)}${style.bad(carets)}`];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The cell that is shown first: of a line that does not fit up to the end of the span, some columns before its start.
 */
function firstShown(cells: readonly Cell[], span: Span, room: number, isCut: boolean): number {
  const before = cells.filter(({ start }) => start < span.end).reduce((sum, { width }) => sum + width, 0);
  if (!isCut && before < room) return 0;
  let first = cells.findIndex(({ end }) => end > span.start);
  if (first < 0) first = cells.length;
  for (let width = 0; first > 0; first -= 1) {
    width += cells[first - 1]!.width;
    if (width > room / 3) break;
  }
  return first;
}

interface Frame {
  /** Columns to the left of the text. */
  readonly left: number;
  readonly room: number;
  /** Whether more of the line is beside what is given. */
  readonly isCut: { readonly left: boolean; readonly right: boolean };
}

function drawn(cells: readonly Cell[], span: Span, { left, room, isCut }: Frame): { text: string; carets: string } {
  let text = isCut.left ? CUT : '';
  let carets = isCut.left ? ' ' : '';
  let used = text.length;
  let isWhole = !isCut.right;
  for (const cell of cells) {
    const width = cell.text === '\t' ? TAB - ((left + used) % TAB) : cell.width;
    if (used + width >= room) {
      isWhole = false;
      break;
    }
    text += cell.text;
    used += width;
    if (cell.end <= span.start) carets += cell.text === '\t' ? '\t' : ' '.repeat(width);
    else if (cell.start < span.end) carets += '^'.repeat(width);
  }
  return { text: isWhole ? text : `${text}${CUT}`, carets: carets.includes('^') ? carets : `${carets}^` };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The cells of a part of a line that begins at `from`. */
function cellsOf(part: string, from: number): Cell[] {
  return Array.from(segmenter.segment(part), ({ segment, index }) => {
    const text = shown(segment);
    return { start: from + index, end: from + index + segment.length, text, width: widthOf(text) };
  });
}

/** A grapheme as a terminal may get it: characters of control and format, and what is not a character, as escapes. */
function shown(grapheme: string): string {
  if (grapheme === '\t' || !/^[\p{C}\p{Zl}\p{Zp}]/u.test(grapheme)) return grapheme;
  return grapheme.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function widthOf(text: string): number {
  if (text === '\t') return TAB;
  if (text.startsWith('\\u')) return text.length;
  if (/^\p{M}/u.test(text)) return 0;
  return /^\p{RI}|\ufe0f/u.test(text) ? 2 : eastAsianWidth(text.codePointAt(0)!);
}
