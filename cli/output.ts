import { exactJson } from '../lib/command.ts';
import type { CommandSession, CommonOptions } from './command-session.ts';
import { type Io, jsonLine, plain, type Sink } from './io.ts';
import { printLines, readable } from './lines.ts';
import type { JsonResults } from './view/json.ts';
import { type Style, styleFor } from './view/style.ts';

/** A result with the fields that the JSON schema of its command has, and no other. */
type ResultOf<Command extends keyof JsonResults, T> = T &
  JsonResults[Command] &
  Record<Exclude<keyof T, FieldOf<JsonResults[Command]>>, never>;

type FieldOf<T> = T extends unknown ? keyof T : never;

/**
 * Prints the result of a command: as JSON where that was asked for, otherwise for a person. Writes to stdout, or to
 * `sink`.
 */
export function printResult<Command extends keyof JsonResults, T extends object>(
  session: CommandSession,
  options: CommonOptions,
  command: Command,
  result: ResultOf<Command, T>,
  view: (result: T, style: Style) => readonly string[],
  sink: Sink = session.io.stdout,
): void {
  session.progress.end();
  if (options.json) {
    withResult.add(session.io);
    sink.write(jsonResult(command, result));
  } else {
    const lines = view(result, styleFor(sink, session.io.env));
    const shown = sink.isTTY && fromOthers.has(command) ? lines.map(harmless) : lines;
    printLines(sink, verbatim.has(command) ? shown : readable(shown, sink));
  }
}

/** What has printed a result as JSON: it is one document, behind which nothing else may stand. */
const withResult = new WeakSet<Io>();

/** Whether a command has printed its result as JSON. */
export function hasJsonResult(io: Io): boolean {
  return withResult.has(io);
}

/** Commands whose results are for programs, on a terminal too, or are set for its width already. */
const verbatim: ReadonlySet<keyof JsonResults> = new Set([
  'render',
  'history-objects',
  'completion',
  'help',
  'schema',
  'docs',
]);

/** Those of them that print what others wrote. A program gets it unchanged, and a terminal must not obey it. */
const fromOthers: ReadonlySet<keyof JsonResults> = new Set(['render', 'history-objects']);

function harmless(line: string): string {
  return line.split('\t').map(plain).join('\t');
}

/**
 * Returns the result of a command, or one of those that it prints, as one line of JSON with the version of its schema.
 */
export function jsonResult<Command extends keyof JsonResults, T extends object>(
  _command: Command,
  result: ResultOf<Command, T>,
): string {
  return jsonLine({ schemaVersion: 1, ...result }, exactJson);
}
