import { expect, test } from 'vitest';
import { sizePair, sizeWords } from '../../formats/size-words.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [12_900_000, '12.3 MiB'],
  [2 ** 32, '4.0 GiB'],
  [2 ** 52, '4096.0 TiB'],
])('%i bytes are %s', (count, words) => {
  expect(sizeWords(count)).toBe(words);
});

test('sizes that are compared never look alike where they differ', () => {
  expect(sizePair(100, 2 ** 20)).toEqual(['100 B', '1.0 MiB']);
  expect(sizePair(12_345_678, 12_345_677)).toEqual(['12,345,678 B', '12,345,677 B']);
});
