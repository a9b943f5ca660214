import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson, parseExactJson } from '../../formats/exact-json.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[#"\\0-9,:[\]{} -]{0,30}$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
    .map((one) => (String(Number(one)) === String(one) ? Number(one) : one)),
  fc.constantFrom(null, true, 2n ** 63n - 1n, 2n ** 64n - 1n, -(2n ** 63n), '9223372036854775807', '#'),
);
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z"#\\0-9]{1,20}$/), tie('node'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).node;

test('whatever is written as JSON is read as the same, with every digit of an integer of 64 bits', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (one, space) => {
      expect(parseExactJson(exactJson(one, space))).toEqual(one);
    }),
  );
});

test('what numbers can keep is written and read as by JSON itself', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (text, space) => {
      const plain: unknown = JSON.parse(text);
      expect(parseExactJson(text)).toEqual(plain);
      expect(exactJson([plain, 2n ** 63n - 1n], space)).toBe(
        JSON.stringify([plain, 'max'], undefined, space).replace(/"max"(?=\s*\]$)/, '9223372036854775807'),
      );
    }),
  );
});

test.each([
  [
    'a fraction, an exponent and more than 64 bits',
    '[1.1234567890123456789, 1234567890123456789e2, 12345678901234567890123]',
  ],
  ['digits in strings', '["9223372036854775807", "\\"9223372036854775807", "\\u0023#9223372036854775807"]'],
])('%s are left as they are', (_, text) => {
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
  const mixed = parseExactJson(`[9223372036854775807, ${text}]`);
  expect(mixed).toEqual([2n ** 63n - 1n, JSON.parse(text)]);
});

test.each(['', '{', '"9223372036854775807', '[9223372036854775807', '9223372036854775807 1'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

test('an integer of 64 bits is kept in a text with however many number signs', () => {
  const comments = '# '.repeat(300_000);
  expect(parseExactJson(`[${JSON.stringify(comments)},9223372036854775807]`)).toEqual([comments, 9223372036854775807n]);
});
