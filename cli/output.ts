import type { Io } from './io.ts';
import type { CommonOptions, Session } from './settings.ts';
import { type Style, styleFor } from './view/style.ts';

/** Prints the result of a command, as JSON where that was asked for, else for a person. */
export function present<T extends object>(
  session: Session,
  options: CommonOptions,
  result: T,
  view: (result: T, style: Style) => readonly string[],
): void {
  session.progress.end();
  const { stdout, env } = session.io;
  if (options.json) stdout.write(`${JSON.stringify({ schemaVersion: 1, ...result })}\n`);
  else printLines(session.io, view(result, styleFor(stdout, env)));
}

/** Prints lines on stdout. */
export function printLines(io: Io, lines: readonly string[]): void {
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
