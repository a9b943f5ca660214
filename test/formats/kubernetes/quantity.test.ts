import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isQuantity, quantityOf } from '../../../formats/kubernetes/quantity.ts';

test.each(['0', '1', '+1', '-1.5', '.5', '1.', '500m', '1Ki', '1.5Gi', '1e3', '1E-3', '12E', '5n', '3u', '100k'])(
  '%s is a quantity',
  (text) => expect(isQuantity(text)).toBe(true),
);

test.each(['', '.', '+', 'm', '1 Gi', '1GB', '1gi', '1K', '0x1', '1e', 'Ki', '1.2.3', '--1', '1KiB', '٣'])(
  '%j is not a quantity',
  (text) => expect(isQuantity(text)).toBe(false),
);

test('quantities compare as what they are worth', () => {
  const equal = (a: unknown, b: unknown): void => expect(quantityOf(a)).toBe(quantityOf(b));
  equal('1', '1000m');
  equal('1Ki', 1024);
  equal('1.5Gi', '1536Mi');
  equal('1e3', '1k');
  equal('1E', '1e18');
  equal('-2.50', '-2500m');
  expect(quantityOf('1Gi')! > quantityOf('1G')!).toBe(true);
  expect(quantityOf('1n')! > 0n).toBe(true);
});

test('what cannot be compared exactly is not', () => {
  expect(quantityOf('1e99')).toBeUndefined();
  expect(quantityOf('1e-99')).toBeUndefined();
  expect(quantityOf('1'.repeat(50))).toBeUndefined();
  expect(quantityOf(true)).toBeUndefined();
  expect(quantityOf(null)).toBeUndefined();
});

test('any number in milli is read back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(quantityOf(`${value}m`)).toBe(BigInt(value) * 10n ** 27n);
    }),
  );
});
