import type { Sink } from './io.ts';
import { wrapLine } from './view/wrap.ts';

/** Prints lines. */
export function printLines(sink: Sink, lines: readonly string[]): void {
  sink.write(lines.map((line) => `${line}\n`).join(''));
}

/**
 * Breaks the lines that a person reads between words, where a terminal would break them anywhere, and writes what
 * stands for what was cut as the locale can.
 */
export function readable(
  lines: readonly string[],
  sink: Pick<Sink, 'isTTY' | 'isAscii' | 'columns'>,
): readonly string[] {
  const own = sink.isAscii ? lines.map(inAscii) : lines;
  return sink.isTTY ? own.flatMap((line) => wrapLine(line, sink.columns)) : own;
}

/** Writes ellipses as three dots. */
export function inAscii(line: string): string {
  return line.replaceAll('…', '...');
}
