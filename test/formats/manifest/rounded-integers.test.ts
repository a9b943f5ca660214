import { expect, test } from 'vitest';
import { coarseIntegers, roundedFrom } from '../../../formats/manifest/rounded-integers.ts';

test('integers that stand for many others are found with their places', () => {
  const value = { a: [{ b: 9223372036854774000 }, 2 ** 53 - 1], c: { d: 1e30, e: 1.5, f: -(2 ** 60) }, g: 2n ** 63n };
  expect(coarseIntegers(value)).toEqual([
    { value: 9223372036854774000, path: 'a[0].b' },
    { value: -(2 ** 60), path: 'c.f' },
  ]);
});

test('what was rounded is told from what was written so', () => {
  const rounded = 9223372036854774000;
  expect(roundedFrom(rounded, 'value: 9223372036854773801')).toBe('9223372036854773801');
  expect(roundedFrom(-rounded, '{"value":-9223372036854773801}')).toBe('-9223372036854773801');
  expect(roundedFrom(rounded, 'value: 9223372036854774000')).toBeUndefined();
  expect(roundedFrom(rounded, 'value: 9223372036854773801 # 9223372036854774000')).toBeUndefined();
  expect(roundedFrom(rounded, 'value: 9223372036854774807')).not.toBe('9223372036854774807');
});
