import { styleText } from 'node:util';
import type { Sink } from '../io.ts';
import { columnsOf, wrap } from './wrap.ts';

/** Formats text for a person: in colour where the terminal wants it. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** How many columns the terminal has; where there is none, lines may have any length. */
  readonly width: number;
}

/**
 * Returns the style for a sink. NO_COLOR (no-color.org) turns colours off, and so does a terminal that says it is dumb;
 * FORCE_COLOR (force-color.org) turns them on where there is none. Who asks for both gets none.
 */
export function styleFor(sink: Sink, env: Readonly<Record<string, string | undefined>>): Style {
  const force = env['FORCE_COLOR'] ?? '';
  const wanted = force === '' ? sink.isTTY && env['TERM'] !== 'dumb' : force !== '0';
  const coloured = wanted && !env['NO_COLOR'];
  const paint =
    (format: 'bold' | 'dim' | 'green' | 'red') =>
    (text: string): string =>
      coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    width: sink.isTTY ? sink.columns : Number.POSITIVE_INFINITY,
  };
}

/**
 * Formats rows with aligned columns where these fit into `width`. Where they do not, each row takes two lines, the
 * first cell and what belongs to it: a terminal would break lines anywhere.
 */
export function fittedTable(rows: readonly (readonly string[])[], width: number): string[] {
  const lines = table(rows);
  if (lines.every((line) => columnsOf(line) <= width)) return lines;
  return rows.flatMap(([first = '', ...rest]) => {
    const indent = ' '.repeat(/^ */.exec(first)![0].length + 4);
    return [first, ...wrap(`${indent}${rest.filter((cell) => cell !== '').join('  ')}`, width, indent)];
  });
}

/** Formats rows with aligned columns; the columns in `right` are aligned to the right. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        if (right.includes(column)) return cell.padStart(width);
        return column === row.length - 1 ? cell : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
