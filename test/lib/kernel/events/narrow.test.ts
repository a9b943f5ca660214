import { expect, test } from 'vitest';
import { narrow } from '../../../../lib/kernel/events/index.ts';

const numbers = Array.from({ length: 25_000 }, (_, number) => number);
const highest = (part: readonly number[]): number[] => part.toSorted((a, b) => b - a).slice(0, 1);

test('a long list is narrowed part by part, and a short one is left as it is', async () => {
  const { signal } = new AbortController();
  expect(await narrow(numbers, signal, highest)).toEqual([24_999]);
  expect(await narrow(numbers.toReversed(), signal, highest)).toEqual([24_999]);
  expect(await narrow([1, 2], signal, highest)).toEqual([1, 2]);
});

test('a signal that comes meanwhile ends it', async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error('stop')));
  let parts = 0;
  const choose = (part: readonly number[]): number[] => {
    parts += 1;
    return highest(part);
  };
  await expect(narrow(numbers, controller.signal, choose)).rejects.toThrow('stop');
  expect(parts).toBeLessThan(3);
});
