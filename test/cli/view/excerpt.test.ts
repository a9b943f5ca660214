import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerpt } from '../../../cli/view/excerpt.ts';
import { styleFor } from '../../../cli/view/style.ts';
import { terminal } from '../../support/terminal.ts';
import { secondsOf } from '../../support/yardstick.ts';

const plain = styleFor({ isTTY: false } as never, {});

/** What is shown of `text` with carets below the part of it between two `|`, which are taken out. */
function shown(text: string, columns = 80, line = 7): readonly string[] {
  const [before = '', place = '', after = ''] = text.split('|');
  const position = { line, column: before.length + 1, length: Math.max(1, place.length) };
  return excerpt(`${before}${place}${after}`, position, columns, plain);
}

describe('an excerpt', () => {
  test('is the line with its number, and carets below the place', () => {
    expect(shown('a = |"b"| # c')).toEqual(['7 | a = "b" # c', '  |     ^^^']);
    expect(shown('|a|', 80, 1234)).toEqual(['1234 | a', '     | ^']);
  });

  test('has one caret behind the line for its end, also where it is empty', () => {
    expect(shown('a: [||')).toEqual(['7 | a: [', '  |     ^']);
    expect(shown('||')).toEqual(['7 | ', '  | ^']);
  });

  test('keeps tabs, so that they end at the same column in both lines', () => {
    expect(shown('\ta\t= |1|')).toEqual(['7 | \ta\t= 1', '  | \t \t  ^']);
    // From column 5 to the next stop, which is column 8.
    expect(shown('|\t|a')).toEqual(['7 | \ta', '  | ^^^^']);
  });

  test('counts columns, and neither characters nor code units', () => {
    expect(shown('字 = |"字"|')).toEqual(['7 | 字 = "字"', '  |      ^^^^']);
    expect(shown('😀👩‍👩‍👧🇫🇷❤️|x|')).toEqual(['7 | 😀👩‍👩‍👧🇫🇷❤️x', '  |         ^']);
    expect(shown('e\u0301\u0302|x|')).toEqual(['7 | e\u0301\u0302x', '  |  ^']);
  });

  test('lets nothing through that a terminal would obey or hide', () => {
    expect(shown('\u001b[31m|x|\u0007')).toEqual(['7 | \\u001b[31mx\\u0007', '  |           ^']);
    expect(shown('a\r|\u202eb|')).toEqual(['7 | a\\u000d\\u202eb', '  |        ^^^^^^^']);
    expect(shown('\u009b|\u200b|\u2028')).toEqual(['7 | \\u009b\\u200b\\u2028', '  |       ^^^^^^']);
  });

  test('is cut around the place where the terminal is narrower than the line', () => {
    const long = `${'a'.repeat(100)}|bcd|${'e'.repeat(100)}`;
    expect(shown(long, 40)).toEqual(['7 | …aaaaaaaaaaabcdeeeeeeeeeeeeeeeeeee…', '  |             ^^^']);
    expect(shown(`|bcd|${'e'.repeat(100)}`, 30)).toEqual(['7 | bcdeeeeeeeeeeeeeeeeeeeee…', '  | ^^^']);
    expect(shown(`${'a'.repeat(100)}||`, 30)).toEqual(['7 | …aaaaaaaa', '  |          ^']);
    expect(shown(`|${'b'.repeat(100)}|`, 30)[1]).toBe(`  | ${'^'.repeat(24)}`);
  });

  test('of a line of many megabytes takes no time', async () => {
    const line = '字'.repeat(8 * 1024 * 1024);
    const at = { line: 1, column: 4_000_000, length: 5_000_000 };
    let shown: readonly string[] = [];
    expect(await secondsOf(() => (shown = excerpt(line, at, 80, plain)))).toBeLessThan(1);
    expect(shown[0]).toMatch(/^1 \| …字+…$/);
  });

  test('has its carets below the place on a terminal, whatever the line is', () => {
    const piece = fc.constantFrom('a', ' ', '\t', '字', '😀', 'é', '\u0301', '\u001b[2J', '\r', '\u202e', '👍🏽', '"');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.nat(60),
        fc.nat(8),
        fc.nat(100),
        (pieces, at, length, columns) => {
          const start = Math.min(at, pieces.length);
          const before = pieces.slice(0, start).join('');
          // A marker that is found again on the screen, whatever is around it.
          const place = '#'.repeat(length + 1);
          const line = `${before}${place}${pieces.slice(start).join('')}`;
          const shown = excerpt(line, { line: 3, column: before.length + 1, length: place.length }, columns, plain);
          const [text = [], carets = []] = shown.map((row) => terminal(row));
          expect(text.length).toBeLessThan(Math.max(25, columns));
          const marked = carets.flatMap((cell, column) => (cell === '^' ? [column] : []));
          expect(marked.length).toBeGreaterThan(0);
          expect(marked.map((column) => text[column]?.[0])).toEqual(marked.map(() => '#'));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
