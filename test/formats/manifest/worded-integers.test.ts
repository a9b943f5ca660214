import { expect, test } from 'vitest';
import { withIntegers, wordedIntegers } from '../../../formats/manifest/worded-integers.ts';

test('an integer that a number cannot keep is a string for a tool, and comes back from it', () => {
  const value = { a: [9223372036854775807n, 1, 'x', null], b: { c: -9223372036854775808n, d: true } };
  const worded = wordedIntegers(value, 'integer:');
  expect(worded).toEqual({
    a: ['integer:9223372036854775807', 1, 'x', null],
    b: { c: 'integer:-9223372036854775808', d: true },
  });
  expect(withIntegers(worded, 'integer:')).toEqual(value);
});
