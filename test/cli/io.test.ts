import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine, plain } from '../../cli/io.ts';

const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('text that goes to a terminal has no character that one obeys, and stays as it is otherwise', () => {
  expect(plain('\u001b[2Jred\u009b\u202e')).toBe('\\u001b[2Jred\\u009b\\u202e');
  expect(plain('Grüße, 世界 🙂')).toBe('Grüße, 世界 🙂');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !obeyed.test(plain(text))));
});

test('a line of JSON has none either, and is the same value to whoever reads it', () => {
  const texts = fc.string({ unit: fc.constantFrom('\\', '"', 'u', '\u001b', '\u009b', '\u202e', '\u2028', 'a') });
  fc.assert(
    fc.property(fc.dictionary(texts, texts), (value) => {
      const line = jsonLine(value);
      expect(line.slice(0, -1)).not.toMatch(obeyed);
      expect(line.endsWith('\n')).toBe(true);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
