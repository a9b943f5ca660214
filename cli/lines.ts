import type { Sink } from './io.ts';
import { wrapLine } from './view/wrap.ts';

/** Prints lines. */
export function printLines(sink: Sink, lines: readonly string[]): void {
  sink.write(lines.map((line) => `${line}\n`).join(''));
}

/** Breaks the lines that a person reads between words, where a terminal would break them anywhere. */
export function readable(lines: readonly string[], sink: Pick<Sink, 'isTTY' | 'columns'>): readonly string[] {
  return sink.isTTY ? lines.flatMap((line) => wrapLine(line, sink.columns)) : lines;
}
