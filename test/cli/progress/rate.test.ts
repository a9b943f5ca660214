import { describe, expect, test } from 'vitest';
import { type MovingRate, movingRate } from '../../../cli/progress/rate.ts';

const MB = 1_000_000;

/** Adds bytes at a steady rate, ten times a second, from one moment to another; returns how many there are then. */
function steadily(rate: MovingRate, from: number, to: number, perSecond: number, done = 0): number {
  let count = done;
  for (let at = from + 100; at <= to; at += 100) {
    count += perSecond / 10;
    rate.add(at, count);
  }
  return count;
}

describe('the rate of bytes', () => {
  test('is unknown in the first second, and then what was moved in a second', () => {
    const rate = movingRate(0);
    steadily(rate, 0, 900, 10 * MB);
    expect(rate.perSecond(900)).toBeUndefined();
    steadily(rate, 900, 5000, 10 * MB, 9 * MB);
    expect(rate.perSecond(5000)).toBeCloseTo(10 * MB, -5);
  });

  test('forgets what was more than ten seconds ago, however fast that was', () => {
    const rate = movingRate(0);
    const done = steadily(rate, 0, 2000, 500 * MB);
    steadily(rate, 2000, 20_000, 5 * MB, done);
    expect(rate.perSecond(20_000)).toBeCloseTo(5 * MB, -6);
  });

  test('falls to nothing where nothing is moved any longer', () => {
    const rate = movingRate(0);
    steadily(rate, 0, 5000, 10 * MB);
    expect(rate.perSecond(10_000)).toBeCloseTo(5 * MB, -6);
    expect(rate.perSecond(30_000)).toBe(0);
  });

  test('is never below nothing, where bytes have to be moved once more', () => {
    const rate = movingRate(0);
    rate.add(500, 10 * MB);
    rate.add(2000, 1 * MB);
    rate.add(20_000, 0);
    expect(rate.perSecond(20_000)).toBe(0);
  });
});

describe('the time that is left', () => {
  test('is reported once bytes have moved steadily for three seconds', () => {
    const rate = movingRate(0);
    const done = steadily(rate, 0, 2900, 10 * MB);
    expect(rate.remaining(2900, 100 * MB)).toBeUndefined();
    steadily(rate, 2900, 6000, 10 * MB, done);
    expect(rate.remaining(6000, 100 * MB)).toBeCloseTo(10_000, -2);
  });

  test('is not told while the rate is another than it was, and is reported again once it is steady', () => {
    const rate = movingRate(0);
    const fast = steadily(rate, 0, 10_000, 100 * MB);
    const slow = steadily(rate, 10_000, 14_000, 10 * MB, fast);
    expect(rate.remaining(14_000, 100 * MB)).toBeUndefined();
    steadily(rate, 14_000, 26_000, 10 * MB, slow);
    expect(rate.remaining(26_000, 100 * MB)).toBeCloseTo(10_000, -2);
  });

  test('is not told where nothing moves', () => {
    const rate = movingRate(0);
    steadily(rate, 0, 10_000, 10 * MB);
    expect(rate.remaining(14_000, 100 * MB)).toBeUndefined();
    expect(rate.remaining(60_000, 100 * MB)).toBeUndefined();
    expect(movingRate(0).remaining(60_000, 100 * MB)).toBeUndefined();
  });
});
