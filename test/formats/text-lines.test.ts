import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextLines } from '../../formats/text-lines.ts';

const text = fc.array(fc.constantFrom('a', 'é', '字', '😀', '\t', ' ', '\n', '\r\n', '\r'), { maxLength: 30 });

describe('TextLines', () => {
  test('counts lines and columns from 1, and UTF-16 code units', () => {
    const lines = new TextLines('a\n\t😀b\n');
    expect(lines.position(0)).toEqual({ line: 1, column: 1, length: 1 });
    expect(lines.position(3, 5)).toEqual({ line: 2, column: 2, length: 2 });
    expect(lines.position(5)).toEqual({ line: 2, column: 4, length: 1 });
  });

  test('takes the end of a line, and that of the text, for the place behind the last character', () => {
    const lines = new TextLines('ab\r\nc');
    expect(lines.problem('', 2)).toEqual({ position: { line: 1, column: 3, length: 1 }, message: '', lineText: 'ab' });
    expect(lines.problem('', 5, 9)).toEqual({
      position: { line: 2, column: 2, length: 1 },
      message: '',
      lineText: 'c',
    });
    expect(new TextLines('').problem('', 0)).toEqual({
      position: { line: 1, column: 1, length: 1 },
      message: '',
      lineText: '',
    });
  });

  test('leaves out what goes on on the next line', () => {
    expect(new TextLines('ab: |\r\n  c\n').position(1, 11)).toEqual({ line: 1, column: 2, length: 4 });
  });

  test('gives places of the text alone, and finds them again', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -3, max: 70 }), fc.integer({ min: -3, max: 70 }), (parts, start, end) => {
        const whole = parts.join('');
        const lines = new TextLines(whole);
        const { position, lineText: line } = lines.problem('', start, end);
        expect(whole.split(/\r?\n/)[position.line - 1]).toBe(line);
        expect(position.length).toBeGreaterThanOrEqual(1);
        expect(position.column - 1 + position.length).toBeLessThanOrEqual(Math.max(line!.length, position.column));
        const found = lines.offset(position.line, position.column);
        const inText = Math.min(Math.max(start, 0), whole.length);
        // The second character of a line's end has the place of the first.
        expect(found).toBe(whole.slice(inText - 1, inText + 1) === '\r\n' ? inText - 1 : inText);
      }),
      { numRuns: 2000 },
    );
  });
});
