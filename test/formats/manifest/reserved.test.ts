import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { reservedBy } from '../../../formats/manifest/reserved.ts';

const object = (metadata: object, kind = 'ConfigMap', apiVersion = 'v1'): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...metadata },
});

test.each<[string, KubernetesObject, string | undefined, string]>([
  ['its namespace', object({ namespace: 'solpack-system' }), undefined, 'namespace solpack-system'],
  ['the namespace of its component', object({}), 'solpack-system', 'namespace solpack-system'],
  ['being that namespace', object({ name: 'solpack-system' }, 'Namespace'), undefined, 'namespace solpack-system'],
  ['a label', object({ labels: { 'applyset.kubernetes.io/id': '' } }), 'n', 'label applyset.kubernetes.io/id'],
  [
    'a label',
    object({ labels: { 'applyset.kubernetes.io/part-of': 'x' } }),
    'n',
    'label applyset.kubernetes.io/part-of',
  ],
  [
    'an annotation',
    object({ annotations: { 'applyset.kubernetes.io/tooling': 'x' } }),
    undefined,
    'annotation applyset.kubernetes.io/tooling',
  ],
])('an object is reserved for solpack by %s', (_, one, namespace, expected) => {
  expect(reservedBy(one, namespace)).toBe(expected);
});

test.each<[string, KubernetesObject, string | undefined]>([
  ['in another namespace than its component', object({ namespace: 'n' }), 'solpack-system'],
  ['whose name alone is that of the namespace', object({ name: 'solpack-system' }), 'n'],
  [
    'of a kind that is called Namespace elsewhere',
    object({ name: 'solpack-system' }, 'Namespace', 'example.com/v1'),
    'n',
  ],
  ['that is a kind of parents', object({ labels: { 'applyset.kubernetes.io/is-parent-type': 'true' } }), undefined],
  ['with labels that are none', object({ labels: null, annotations: 'none' }), undefined],
])('an object %s may be brought', (_, one, namespace) => {
  expect(reservedBy(one, namespace)).toBeUndefined();
});
