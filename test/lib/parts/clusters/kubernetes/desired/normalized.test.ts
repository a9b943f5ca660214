import { expect, test } from 'vitest';
import { PART_OF } from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { memberOf, normalized, objectKey } from '../../../../../../lib/parts/clusters/kubernetes/desired/normalized.ts';
import { map, stated } from '../support.ts';

test('an object has one key, whatever version it is written in', () => {
  const at = (apiVersion: string, namespace?: string) =>
    objectKey({ apiVersion, kind: 'Widget', name: 'w', namespace });
  expect(at('a.example/v1', 'n')).toBe(at('a.example/v2', 'n'));
  expect(new Set([at('v1', 'n'), at('a.example/v1', 'n'), at('v1', 'm'), at('v1')]).size).toBe(4);
});

test('an object without a namespace goes to "default", and one outside of namespaces loses its own', () => {
  expect(normalized(map('a'), true).metadata).toEqual({ name: 'a', namespace: 'default' });
  expect(normalized(map('n/a'), true).metadata).toEqual({ name: 'a', namespace: 'n' });
  expect(normalized(stated('v1', 'Namespace', 'n/a'), false).metadata).toEqual({ name: 'a' });
});

test('what only the server writes is left out, and what the author wrote stays', () => {
  const exported = { creationTimestamp: null, generation: 3, managedFields: [], resourceVersion: '7', uid: 'u' };
  const metadata = { name: 'a', namespace: 'n', annotations: { a: 'b' } };
  const object = { ...map('n/a'), metadata: { ...metadata, ...exported }, status: {} };
  expect(normalized(object, true)).toEqual({ ...map('n/a'), metadata, status: {} });
});

test('metadata that says nothing is left out, that of templates as well, and what is empty elsewhere stays', () => {
  const says = (name: string) => ({ name, labels: { app: 'a' } });
  const empty = { annotations: null, finalizers: [], ownerReferences: null };
  const set = (metadata: (name: string) => object) =>
    stated('apps/v1', 'StatefulSet', 'n/a', {
      metadata: { ...metadata('a'), namespace: 'n' },
      spec: {
        template: { metadata: metadata('pod'), spec: { nodeSelector: {}, volumes: null } },
        volumeClaimTemplates: [{ metadata: metadata('data') }],
      },
    });
  expect(
    normalized(
      set((name) => ({ ...says(name), ...empty })),
      true,
    ),
  ).toEqual(set(says));
  const widget = (more: object) =>
    stated('a.example/v1', 'Widget', 'n/w', {
      spec: { metadata: { labels: {} } },
      metadata: { name: 'w', namespace: 'n', ...more },
    });
  expect(normalized(widget({ annotations: {}, labels: null }), true)).toEqual(widget({}));
});

test('the clear text of a Secret becomes data, and wins over data', () => {
  const secret = stated('v1', 'Secret', 'n/s', { data: { a: 'eA==', b: 'eQ==' }, stringData: { b: 'ä' } });
  expect(normalized(secret, true)).toEqual(stated('v1', 'Secret', 'n/s', { data: { a: 'eA==', b: 'w6Q=' } }));
});

test.each([
  ['a number', { key: 1 }],
  ['a list', [1]],
  ['a text', 'x'],
])('what is no clear text (%s) is left to the server to refuse', (_, stringData) => {
  const secret = stated('v1', 'Secret', 'n/s', { stringData });
  expect(normalized(secret, true)).toEqual(secret);
});

test.each([
  ['a text', 'x'],
  ['a list', ['eA==']],
  ['a number', 1],
])('data that is no mapping (%s) is left to the server to refuse', (_, data) => {
  const secret = stated('v1', 'Secret', 'n/s', { data, stringData: { key: 'x' } });
  expect(normalized(secret, true)).toEqual(secret);
});

test('other kinds may call a field stringData', () => {
  const widget = stated('a.example/v1', 'Secret', 'n/w', { stringData: { a: 'b' } });
  expect(normalized(widget, true)).toEqual(widget);
});

test('a member has the label of its set beside its own', () => {
  const labelled = {
    ...map('n/a'),
    metadata: { name: 'a', namespace: 'n', labels: { app: 'web', [PART_OF]: 'another' } },
  };
  expect(memberOf(labelled, 'set').metadata['labels']).toEqual({ app: 'web', [PART_OF]: 'set' });
  expect(memberOf(map('n/a'), 'set').metadata['labels']).toEqual({ [PART_OF]: 'set' });
});

test.each([
  ['a text', 'x'],
  ['a list', ['x']],
])('labels that are %s are refused', (_, labels) => {
  const object = { ...map('n/a'), metadata: { name: 'a', namespace: 'n', labels } };
  expect(() => memberOf(object, 'set')).toThrow(
    expect.objectContaining({ code: 'object-refused', subject: 'ConfigMap n/a' }),
  );
});
