import type { Sink } from './io.ts';
import { columnsOf } from './view/wrap.ts';

/** Columns and lines of a terminal that does not say how many it has. */
const SIZE = { columns: 80, rows: 24 } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the sink of a stream. `broken` is reported failed writes, and whether bytes that are no text were sent. */
export function sinkOf(
  stream: NodeJS.WriteStream,
  env: Environment,
  broken: (error: Error, sent: boolean) => void,
): Sink {
  let sent = false;
  stream.on('error', (error) => broken(error, sent));
  let shown: readonly string[] = [];
  const columns = (): number => asked(env['COLUMNS']) ?? (stream.columns || SIZE.columns);
  const top = (): string => {
    const above = shown.reduce((sum, line) => sum + rowsOf(line, columns()), 0) - 1;
    return above > 0 ? `\r\u001b[${above}A` : '\r';
  };
  const clear = (): string => {
    const text = shown.length === 0 ? '' : `${top()}\u001b[${shown.length > 1 ? 'J' : 'K'}`;
    shown = [];
    return text;
  };
  return {
    isTTY: stream.isTTY === true,
    isAscii: isAsciiLocale(env),
    // Whoever reads may make the window smaller meanwhile.
    get columns() {
      return columns();
    },
    get rows() {
      return asked(env['LINES']) ?? (stream.rows || SIZE.rows);
    },
    write: (text) => {
      stream.write(`${clear()}${text}`);
    },
    status: (lines) => {
      if (stream.isTTY !== true || (lines.length === 0 && shown.length === 0)) return;
      // What is there is written over, not removed before: a screen that blinks is hard to read.
      const over = lines.map((line) => `${line}\u001b[K`).join('\n');
      stream.write(lines.length === 0 || shown.length === 0 ? `${clear()}${over}` : `${top()}${over}\u001b[J`);
      shown = lines;
    },
    send: (bytes) => {
      sent = true;
      return new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    },
    flush: async () => {
      if (!stream.destroyed && stream.writable) await new Promise<void>((resolve) => stream.write('', () => resolve()));
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Whether the locale has no characters but those of ASCII: one that says nothing is that of C (POSIX.1, 8.2). */
export function isAsciiLocale(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'C';
  return !/utf-?8/i.test(locale);
}

function asked(value: string | undefined): number | undefined {
  return /^[1-9]\d{0,3}$/.test(value ?? '') ? Number(value) : undefined;
}

/** A line that was shown when the terminal was wider takes several now. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(line) / columns));
}
