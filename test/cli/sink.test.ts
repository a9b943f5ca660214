import { expect, test } from 'vitest';
import type { Sink } from '../../cli/io.ts';
import { isAsciiLocale, sinkOf } from '../../cli/sink.ts';

/** A sink on a terminal of some columns, which a test may change, and what the terminal is sent. */
function onTerminal(columns: number): { sink: Sink; stream: { columns: number }; sent(): string } {
  let text = '';
  const take = (): string => {
    const all = text;
    text = '';
    return all;
  };
  const write = (more: string): boolean => {
    text += more;
    return true;
  };
  const stream = { isTTY: true, columns, rows: 24, on: () => stream, write };
  return { sink: sinkOf(stream as never, {}, () => undefined), stream, sent: take };
}

test('lines that are shown are written over, and are gone before anything else is written', () => {
  const { sink, sent } = onTerminal(80);
  sink.status(['one', 'two']);
  expect(sent()).toBe('one\u001b[K\ntwo\u001b[K');
  sink.status(['three', 'four']);
  expect(sent()).toBe('\r\u001b[1Athree\u001b[K\nfour\u001b[K\u001b[J');
  sink.write('error\n');
  expect(sent()).toBe('\r\u001b[1A\u001b[Jerror\n');
  sink.status([]);
  expect(sent()).toBe('');
});

test('a window that became smaller has more rows of what is shown, and all of them go', () => {
  const { sink, stream, sent } = onTerminal(80);
  sink.status(['x'.repeat(79), 'two']);
  stream.columns = 30;
  sent();
  sink.status([]);
  expect(sent()).toBe('\r\u001b[3A\u001b[J');
});

test.each([
  [{}, true],
  [{ LANG: '' }, true],
  [{ LANG: 'C' }, true],
  [{ LANG: 'en_GB.UTF-8' }, false],
  [{ LANG: 'en_GB.utf8' }, false],
  [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, true],
  [{ LANG: 'en_GB.UTF-8', LC_CTYPE: 'de_DE.ISO-8859-1' }, true],
  [{ LANG: 'C', LC_CTYPE: 'C.UTF-8', LC_ALL: '' }, false],
])('a locale of %j has ASCII alone: %s', (env, isAscii) => {
  expect(isAsciiLocale(env)).toBe(isAscii);
});
