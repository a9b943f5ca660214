import { expect, test } from 'vitest';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import { withOwnNamespace } from '../../../../lib/shared/rendering/own-namespace.ts';

const component = (name: string, labels?: Record<string, string>): ComponentMetadata => ({
  name,
  kind: 'manifests',
  namespace: 'shared',
  after: [],
  entry: '',
  values: [],
  ...(labels ? { createNamespace: { labels } } : {}),
});

test('a namespace that several components bring is stated by the first of them, with the labels of all', () => {
  const all = [component('none'), component('first', { a: '1' }), component('second', { b: '2' })];
  const stated = all.map((one) => withOwnNamespace(one, [], all).map(({ object }) => object));
  const metadata = { name: 'shared', labels: { a: '1', b: '2' } };
  expect(stated).toEqual([[], [{ apiVersion: 'v1', kind: 'Namespace', metadata }], []]);
});

test('a component that states its namespace itself has no other', () => {
  const own = component('web', { a: '1' });
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } };
  expect(withOwnNamespace(own, [{ object, source: 'a.yaml:1' }], [own])).toEqual([{ object, source: 'a.yaml:1' }]);
});
