import { describe, expect, test } from 'vitest';
import { judgePairs } from '../../../scripts/bench/pairs.ts';

/** Ratios around `middle` that are as far apart as `noise` says. */
const around = (middle: number, noise: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => middle + noise * (at / (count - 1) - 0.5));

describe('what paired runs of two releases tell', () => {
  test.each([
    ['as fast as before, with little noise', around(1, 0.04, 8), false, 'held'],
    ['faster than before, with much noise', around(0.6, 0.8, 8), false, 'held'],
    ['a tenth slower, with little noise', around(1.1, 0.04, 8), false, 'worse'],
    ['twice as slow, with much noise', around(2, 1, 8), false, 'worse'],
    ['as fast as before, with so much noise that it would decide', around(1, 0.5, 8), false, 'open'],
    ['a tenth slower, with so much noise that it would decide', around(1.1, 0.5, 8), false, 'open'],
    ['as fast as before, with much noise in the last pair', around(1, 0.5, 31), true, 'held'],
    ['a tenth slower, with much noise in the last pair', around(1.1, 0.5, 31), true, 'unsure'],
    ['a tenth slower, with some noise in the last pair', around(1.1, 0.25, 31), true, 'worse'],
  ])('is, if it is %s, that this is so', (_, ratios, last, verdict) => {
    expect(judgePairs(ratios, last).verdict).toBe(verdict);
  });

  test('lies in the interval of the sign test', () => {
    const of = (count: number): number[] => {
      const { low, ratio, high } = judgePairs(
        Array.from({ length: count }, (_, at) => at + 1),
        true,
      );
      return [low, ratio, high];
    };
    // Tables have it so: of 6 all, of 10 from the second to the ninth, of 31 from the tenth to the 22nd.
    expect(of(6)).toEqual([1, 3.5, 6]);
    expect(of(10)).toEqual([2, 5.5, 9]);
    expect(of(31)).toEqual([10, 16, 22]);
  });
});
