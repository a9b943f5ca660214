import { expect, test } from 'vitest';
import type { RenderedSolution } from '../../../../lib/parts/clusters/index.ts';
import { distinctObjects } from '../../../../lib/shared/rendering/distinct.ts';
import { map, stated } from '../../parts/clusters/kubernetes/support.ts';

const solution = (
  name: string,
  ...components: RenderedSolution['components'][number]['objects'][]
): RenderedSolution => ({
  name,
  version: '1.0.0',
  root: undefined,
  components: components.map((objects, index) => ({ name: `c${index}`, objects, after: [], timeout: 1 })),
});
const counts = (solutions: readonly RenderedSolution[]): number[][] =>
  distinctObjects(solutions).map(({ components }) => components.map(({ objects }) => objects.length));

test('an object that is stated again with the same content is there once, with the first component', () => {
  expect(counts([solution('a', [map('a')], [map('a'), map('b')]), solution('b', [map('a')])])).toEqual([[1, 1], [0]]);
});

test('no namespace and the namespace "default" are the same place, and others are not', () => {
  expect(counts([solution('a', [map('a'), map('default/a'), map('shop/a')])])).toEqual([[2]]);
});

test('two different objects of one name are refused, with both places', () => {
  expect(() => counts([solution('a', [map('shop/a', '1')], [map('shop/a', '2')])])).toThrow(
    expect.objectContaining({
      code: 'object-conflict',
      subject: 'ConfigMap shop/a',
      message: 'stated in component c0 of a and in component c1 of a, with different content',
    }),
  );
  expect(() => counts([solution('a', [map('a', '1'), map('a', '2')])])).toThrow(/stated twice in component c0 of a/);
});

test('one name in two kinds, or in two groups, is two objects', () => {
  const objects = [stated('v1', 'Event', 'a'), stated('events.k8s.io/v1', 'Event', 'a'), map('a')];
  expect(counts([solution('a', objects)])).toEqual([[3]]);
});
