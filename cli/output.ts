import { jsonLine, type Sink } from './io.ts';
import type { CommandSession, CommonOptions } from './session.ts';
import { type Style, styleFor } from './view/style.ts';

/**
 * Prints the result of a command: as JSON where that was asked for, otherwise for a person. Writes to stdout, or to
 * `sink`.
 */
export function printResult<T extends object>(
  session: CommandSession,
  options: CommonOptions,
  result: T,
  view: (result: T, style: Style) => readonly string[],
  sink: Sink = session.io.stdout,
): void {
  session.progress.end();
  if (options.json) sink.write(jsonLine({ schemaVersion: 1, ...result }));
  else printLines(sink, view(result, styleFor(sink, session.io.env)));
}

/** Prints lines. */
export function printLines(sink: Sink, lines: readonly string[]): void {
  sink.write(lines.map((line) => `${line}\n`).join(''));
}
