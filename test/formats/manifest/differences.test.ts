import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldDifferences } from '../../../formats/manifest/differences.ts';

test('names the smallest fields that differ, with what they were and are', () => {
  const from = { kind: 'A', spec: { same: 1, other: 1, gone: [1] }, list: [1, 2] };
  const to = { kind: 'A', spec: { same: 1, other: '1', fresh: null }, list: [1, 3] };
  expect(fieldDifferences(from, to)).toEqual([
    { path: 'spec.other', from: 1, to: '1' },
    { path: 'spec.fresh', to: null },
    { path: 'spec.gone', from: [1] },
    { path: 'list.1', from: 2, to: 3 },
  ]);
});

test('finds entries of a list by their names, wherever they stand', () => {
  const container = (name: string, image: string): object => ({ name, image });
  const from = { containers: [container('a', '1'), container('b', '1')] };
  const to = { containers: [container('x', '1'), container('b', '2'), container('a', '1')] };
  expect(fieldDifferences(from, to)).toEqual([
    { path: 'containers[x]', to: container('x', '1') },
    { path: 'containers[b].image', from: '1', to: '2' },
  ]);
});

test('tells lists of plain values as a whole where one is longer', () => {
  expect(fieldDifferences({ args: ['a', 'b'] }, { args: ['x', 'a', 'b'] })).toEqual([
    { path: 'args', from: ['a', 'b'], to: ['x', 'a', 'b'] },
  ]);
});

test('what is the same has no differences, and what is not has some', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(fieldDifferences(a, structuredClone(a))).toEqual([]);
      const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(fieldDifferences(a, b).length === 0).toBe(isSame);
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)]);
  // An object without fields is not a list without entries.
  return { fields: entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) };
}
