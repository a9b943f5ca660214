import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applySetId,
  HOME,
  type Inventory,
  inventoryOf,
  parentOf,
  parseGroupKind,
  setOf,
} from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { live } from '../support.ts';

const inventory: Inventory = {
  solution: 'shop',
  version: '1.0.0',
  root: 'sha256:0',
  site: 'sha256:1',
  configuration: '/etc/solutions.yaml',
  state: 'ready',
  previous: undefined,
  components: ['base', 'web'],
  groupKinds: new Set(['Deployment.apps', 'ConfigMap']),
  namespaces: new Set([HOME, 'shop', 'data']),
};

test('the id of a set is the one that kubectl computes for its parent', () => {
  // From the tests of kubectl 1.35 (apply_test.go).
  const id = applySetId({ name: 'my-set', namespace: 'test', kind: 'Secret', group: '' });
  expect(id).toBe('applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1');
});

test('ids are labels that differ between Solutions', () => {
  const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(setOf(one)).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,61}[A-Za-z0-9]$/);
      expect(setOf(one) === setOf(other)).toBe(one === other);
    }),
  );
});

test('kinds are read back from what annotations have of them', () => {
  expect(parseGroupKind('Widget.a.example.com')).toEqual({ group: 'a.example.com', kind: 'Widget' });
  expect(parseGroupKind('Pod')).toEqual({ group: '', kind: 'Pod' });
});

describe('a parent', () => {
  test('has sorted lists, and not its own namespace, which always belongs to the set', () => {
    expect(parentOf(inventory).metadata['annotations']).toEqual({
      'applyset.kubernetes.io/tooling': 'solpack/v1',
      'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap,Deployment.apps',
      'applyset.kubernetes.io/additional-namespaces': 'data,shop',
    });
  });

  test('is read back as the inventory that it remembers', () => {
    expect(inventoryOf(live(parentOf(inventory)))).toEqual(inventory);
    const halfway: Inventory = { ...inventory, version: '2.0.0', state: 'applying', previous: '1.0.0' };
    expect(inventoryOf(live(parentOf(halfway)))).toEqual(halfway);
    const empty: Inventory = {
      ...inventory,
      root: undefined,
      components: [],
      groupKinds: new Set(),
      namespaces: new Set([HOME]),
    };
    expect(inventoryOf(live(parentOf(empty)))).toEqual(empty);
  });

  test.each([
    ['no annotations', { annotations: {} }, {}],
    ['another tool', { annotations: { 'applyset.kubernetes.io/tooling': 'kubectl/v1.35.0' } }, {}],
    ['the id of another set', { labels: { 'applyset.kubernetes.io/id': setOf('other') } }, {}],
    ['another name', { name: 'solution-other' }, {}],
    [
      'the label of what a Solution brings',
      { labels: { 'applyset.kubernetes.io/id': setOf('shop'), 'applyset.kubernetes.io/part-of': setOf('evil') } },
      {},
    ],
    ['another namespace', { namespace: 'default' }, {}],
    ['no data', {}, { data: undefined }],
    ['a state that nobody knows', {}, { data: { solution: 'shop', state: 'broken' } }],
    ['data that are no texts', {}, { data: { solution: 1, state: 'ready' } }],
  ])('with %s is none of solpack', (_, metadata, more) => {
    expect(inventoryOf({ ...live(parentOf(inventory), metadata), ...more })).toBeUndefined();
  });
});
