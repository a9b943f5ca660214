import { expect, test } from 'vitest';
import { namespacedAmong } from '../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { isShared, movedTo, relocated } from '../../../formats/manifest/relocate.ts';

const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubernetesObject => {
  const { metadata, ...rest } = more as { metadata?: object };
  return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
};
const within = (namespace: string) => ({ metadata: { namespace } });
const rbac = 'rbac.authorization.k8s.io/v1';

function moved(...components: KubernetesObject[][]): KubernetesObject[][] {
  const isNamespaced = namespacedAmong(components.flat());
  return relocated(components, { namespace: 'team-a', from: ['default'], labels: { env: 'team-a' }, isNamespaced });
}

const only = (one: KubernetesObject): KubernetesObject =>
  moved([one, object('v1', 'Pod', 'p', within('shop'))])[0]![1]!;

test('what lives in namespaces is moved, and the namespaces become one, which comes first', () => {
  const space = (name: string, labels: object) => object('v1', 'Namespace', name, { metadata: { labels } });
  const all = moved(
    [space('shop', { a: '1' }), object('v1', 'ConfigMap', 'c', within('shop')), object('v1', 'Secret', 's')],
    [space('more', { b: '2' }), object('v1', 'ConfigMap', 'd', within('more'))],
  );
  expect(all.map((list) => list.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace]))).toEqual([
    [
      ['Namespace', 'team-a', undefined],
      ['ConfigMap', 'c', 'team-a'],
      ['Secret', 's', 'team-a'],
    ],
    [['ConfigMap', 'd', 'team-a']],
  ]);
  expect(all[0]![0]!.metadata['labels']).toEqual({ a: '1', b: '2', env: 'team-a' });
});

test('what is stated for a namespace of Kubernetes stays there, and is shared', () => {
  const one = only(object(rbac, 'RoleBinding', 'r', { ...within('kube-system'), subjects: [] }));
  expect(one.metadata.namespace).toBe('kube-system');
  const isNamespaced = namespacedAmong([]);
  const shared = (it: KubernetesObject): boolean => isShared(it, 'team-a', isNamespaced);
  expect(
    [one, object('v1', 'ConfigMap', 'c', within('team-a')), object('v1', 'Namespace', 'team-a')].map(shared),
  ).toEqual([true, false, false]);
  expect([object(rbac, 'ClusterRole', 'c'), object('v1', 'Namespace', 'kube-system')].map(shared)).toEqual([
    true,
    true,
  ]);
});

test.each([
  ['ClusterRoleBinding', { subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'shop' }] }, 'shop'],
  ['RoleBinding', { subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'default' }] }, 'default'],
])('subjects of a %s are those of the new namespace', (kind, more, from) => {
  expect(JSON.stringify(only(object(rbac, kind, 'b', more)))).not.toContain(`"${from}"`);
});

test('subjects of others stay, and groups of accounts move', () => {
  const subjects = [
    { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
    { kind: 'Group', name: 'system:serviceaccounts:shop' },
    { kind: 'Group', name: 'system:masters' },
  ];
  expect(only(object(rbac, 'ClusterRoleBinding', 'b', { subjects }))['subjects']).toEqual([
    subjects[0],
    { kind: 'Group', name: 'system:serviceaccounts:team-a' },
    subjects[2],
  ]);
});

test.each([
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    {
      webhooks: [
        { clientConfig: { service: { name: 's', namespace: 'shop' } } },
        { clientConfig: { url: 'https://x' } },
      ],
    },
  ],
  ['apiregistration.k8s.io/v1', 'APIService', { spec: { service: { name: 's', namespace: 'shop' } } }],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { spec: { conversion: { webhook: { clientConfig: { service: { name: 's', namespace: 'shop' } } } } } },
  ],
  ['v1', 'PersistentVolume', { spec: { claimRef: { name: 'c', namespace: 'shop' } } }],
])('the service or claim that a %s %s names is that of the new namespace', (apiVersion, kind, more) => {
  const text = JSON.stringify(only(object(apiVersion, kind, 'x', more)));
  expect([text.includes('"team-a"'), text.includes('"shop"')]).toEqual([true, false]);
});

test('what is asked about is in the new namespace too, unless it is with Kubernetes itself', () => {
  expect([undefined, 'shop', 'kube-system'].map((one) => movedTo('team-a', one))).toEqual([
    'team-a',
    'team-a',
    'kube-system',
  ]);
});

test('what names a certificate by an annotation leads to the new namespace', () => {
  const annotations = { 'cert-manager.io/inject-ca-from': 'shop/serving', note: 'shop/serving' };
  const one = only(object('apiregistration.k8s.io/v1', 'APIService', 'x', { metadata: { annotations } }));
  expect(one.metadata['annotations']).toEqual({ ...annotations, 'cert-manager.io/inject-ca-from': 'team-a/serving' });
});
