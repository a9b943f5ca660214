import fc from 'fast-check';
import { expect, test } from 'vitest';
import { treemapOf } from '../../../../cli/view/html/treemap.ts';

test('areas are as large as their amounts, lie within the whole, and none lies on another', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(amounts, fc.double({ min: 0.2, max: 5, noNaN: true }), (items, ratio) => {
      const drawn = treemapOf(items, (item) => item, ratio);
      const total = items.reduce((sum, item) => sum + item, 0);
      expect(drawn).toHaveLength(items.length);
      for (const { item, x, y, width, height } of drawn) {
        expect(width * height).toBeCloseTo(item / total, 6);
        expect(Math.min(x, y)).toBeGreaterThan(-1e-9);
        expect(Math.max(x + width, y + height)).toBeLessThan(1 + 1e-9);
      }
      const apart = (a: (typeof drawn)[number], b: (typeof drawn)[number]): boolean =>
        a.x + a.width < b.x + 1e-9 ||
        b.x + b.width < a.x + 1e-9 ||
        a.y + a.height < b.y + 1e-9 ||
        b.y + b.height < a.y + 1e-9;
      for (const [at, one] of drawn.entries())
        for (const other of drawn.slice(at + 1)) expect(apart(one, other)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('sides are alike, and what has no amount is not drawn', () => {
  const drawn = treemapOf([6, 0, 6, 4, 3, 2, 2, 1], (item) => item, 1.5);
  expect(drawn).toHaveLength(7);
  for (const { width, height } of drawn)
    expect(Math.max((1.5 * width) / height, height / (1.5 * width))).toBeLessThan(3.1);
  expect(treemapOf([], () => 1, 1)).toEqual([]);
});
