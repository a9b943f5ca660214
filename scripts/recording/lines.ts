import type { Cast } from './cast.ts';

/** How a part of a line looks: the formats that the demo has. */
export type Look = 'bold' | 'dim' | 'green' | 'plain';

/** Text that looks the same all along. */
export interface Run {
  readonly look: Look;
  readonly text: string;
}

/** A line of a terminal, and when it was printed, in seconds. */
export interface PrintedLine {
  readonly at: number;
  readonly runs: readonly Run[];
}

/** Codes of SGR (ECMA-48, 8.3.117) that begin a look; all others end it. */
const looks: Readonly<Record<string, Look>> = { 1: 'bold', 2: 'dim', 32: 'green' };

/**
 * Returns the lines that a recording printed. A line that is longer than the terminal is wide continues in the next one.
 * Throws `Error` for what moves the cursor: only programs that print one line after the other can be recorded.
 */
export function linesOf({ outputs, width }: Cast): PrintedLine[] {
  const lines: PrintedLine[] = [];
  let runs: Run[] = [];
  let column = 0;
  let look: Look = 'plain';
  const end = (at: number): void => {
    lines.push({ at, runs });
    [runs, column] = [[], 0];
  };
  for (const { at, text } of outputs) {
    for (const part of text.replaceAll('\r\n', '\n').split(/(\n|\u001B\[[\d;]*m)/)) {
      const code = /^\u001B\[([\d;]*)m$/.exec(part)?.[1];
      if (part === '\n') end(at);
      else if (code !== undefined) look = looks[code] ?? 'plain';
      else {
        if (/\p{Cc}/u.test(part)) throw new Error(`the recording moves the cursor: ${JSON.stringify(part)}`);
        for (let rest = part; rest !== ''; ) {
          if (column === width) end(at);
          const taken = rest.slice(0, width - column);
          runs.push({ look, text: taken });
          column += taken.length;
          rest = rest.slice(taken.length);
        }
      }
    }
  }
  if (runs.length > 0) end(outputs.at(-1)?.at ?? 0);
  return lines;
}
