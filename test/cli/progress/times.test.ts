import { expect, test } from 'vitest';
import { leftWords, timeWords, wholeTime } from '../../../cli/progress/times.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

test.each([
  [0, '0.0 s'],
  [3440, '3.4 s'],
  [9949, '9.9 s'],
  [9951, '10 s'],
  [59.4 * second, '59 s'],
  [59.6 * second, '1 min 00 s'],
  [125 * second, '2 min 05 s'],
  [hour + 3 * minute + 59 * second, '1 h 03 min'],
])('%i ms that something took are %s', (milliseconds, words) => {
  expect(timeWords(milliseconds)).toBe(words);
});

test('while they pass, seconds are reported once they are over', () => {
  expect([900, 1000, 59_999, 60_000].map(wholeTime)).toEqual(['0 s', '1 s', '59 s', '1 min 00 s']);
});

test.each([
  [10, '1 s'],
  [6.2 * second, '7 s'],
  [31 * second, '35 s'],
  [59 * second, '1 min 00 s'],
  [101 * second, '1 min 50 s'],
  [10 * minute + 1, '11 min'],
  [hour + 30 * second, '1 h 01 min'],
])('%i ms that are left are reported as %s: no finer than anybody can know', (milliseconds, words) => {
  expect(leftWords(milliseconds)).toBe(words);
});
