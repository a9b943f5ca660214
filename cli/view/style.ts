import { styleText } from 'node:util';
import type { Sink } from '../io.ts';

/** Formats text for a person: in colour where the terminal wants it. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
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
  return { bold: paint('bold'), dim: paint('dim'), good: paint('green'), bad: paint('red') };
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
