import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import type { RenderedSolution } from '../../../../lib/parts/clusters/kind.ts';
import { divided, sameSpaces } from '../../../../lib/shared/rendering/environments.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const wide = (kind: string, name: string, more: object = {}): KubernetesObject => {
  const { metadata, ...rest } = more as { metadata?: object };
  return { apiVersion: rbac, kind, metadata: { name, ...metadata }, ...rest };
};
const inside = (namespace: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace },
});
const binding = (namespace: string, version: string): KubernetesObject =>
  wide('ClusterRoleBinding', 'b', { version, subjects: [{ kind: 'ServiceAccount', name: 'a', namespace }] });

const rendered = (environment: string, version: string, ...components: KubernetesObject[][]) => ({
  environment,
  solution: {
    name: `shop.${environment}`,
    version,
    root: undefined,
    components: components.map((objects, at) => {
      return { name: `c${at}`, objects, after: at === 0 ? [] : [`c${at - 1}`], timeout: 1, ready: [] };
    }),
  } satisfies RenderedSolution,
});
const shared = { name: 'shop', version: '2.0.0', root: undefined };

const told = (solutions: readonly RenderedSolution[]) =>
  solutions.map(({ name, components }) => [
    name,
    components.flatMap(({ objects }) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
  ]);

test('what is outside of environments comes once, from the highest version, with the subjects of all', () => {
  const all = divided(
    {
      shared,
      apart: undefined,
      environments: [
        rendered('b', '2.0.0', [wide('ClusterRole', 'r', { of: '2' }), binding('b', '2'), inside('b')]),
        rendered('a', '1.0.0', [wide('ClusterRole', 'r', { of: '1' }), binding('a', '1'), inside('a')]),
      ],
    },
    undefined,
  );
  expect(told(all)).toEqual([
    ['shop', ['ClusterRole r', 'ClusterRoleBinding b']],
    ['shop.b', ['ConfigMap c']],
    ['shop.a', ['ConfigMap c']],
  ]);
  const [role, bound] = all[0]!.components[0]!.objects;
  expect([role!['of'], bound!['version']]).toEqual(['2', '2']);
  expect((bound!['subjects'] as { namespace: string }[]).map(({ namespace }) => namespace)).toEqual(['b', 'a']);
});

test('what only a lower version has stays with the highest environment that has it', () => {
  const old = wide('ClusterRole', 'old');
  const all = divided(
    {
      shared,
      apart: undefined,
      environments: [
        rendered('c', '2.0.0', [inside('c')]),
        rendered('b', '1.1.0', [old, inside('b')]),
        rendered('a', '1.0.0', [old, inside('a')]),
      ],
    },
    undefined,
  );
  expect(told(all)).toEqual([
    ['shop', []],
    ['shop.c', ['ConfigMap c']],
    ['shop.b', ['ClusterRole old', 'ConfigMap c']],
    ['shop.a', ['ConfigMap c']],
  ]);
});

test('gates, and what something has to run for, belong to the environment that they lead to; hooks to each', () => {
  const gate: KubernetesObject = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'gate' },
  };
  const custom: KubernetesObject = { apiVersion: 'x.example.com/v1', kind: 'Issuer', metadata: { name: 'i' } };
  const hook = wide('ClusterRole', 'hook', { metadata: { annotations: { 'helm.sh/hook': 'pre-install' } } });
  const crd: KubernetesObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'issuers.x.example.com' },
    spec: { group: 'x.example.com', scope: 'Cluster', names: { kind: 'Issuer' } },
  };
  const objects = (namespace: string) => [crd, hook, inside(namespace)];
  const all = divided(
    {
      shared,
      apart: undefined,
      environments: [
        rendered('b', '2.0.0', objects('b'), [custom, gate]),
        rendered('a', '1.0.0', objects('a'), [custom, gate]),
      ],
    },
    undefined,
  );
  expect(told(all)).toEqual([
    ['shop', ['CustomResourceDefinition issuers.x.example.com']],
    ['shop.b', ['ClusterRole hook', 'ConfigMap c', 'Issuer i', 'ValidatingWebhookConfiguration gate']],
    ['shop.a', ['ClusterRole hook', 'ConfigMap c']],
  ]);
  expect(all[0]!.components.map(({ name, after, ready }) => [name, after, ready])).toEqual([['c0', [], undefined]]);
  expect(all[1]!.components.map(({ ready }) => ready)).toEqual([[], []]);
});

test('where no environment has the version that they share, only what nothing runs for comes from it', () => {
  const all = divided(
    {
      shared,
      apart: rendered('a', '2.0.0', [wide('ClusterRole', 'r', { of: '2' }), inside('a')]),
      environments: [rendered('a', '1.0.0', [wide('ClusterRole', 'r', { of: '1' }), inside('a')])],
    },
    undefined,
  );
  expect(told(all)).toEqual([
    ['shop', ['ClusterRole r']],
    ['shop.a', ['ConfigMap c']],
  ]);
  expect(all[0]!.components[0]!.objects[0]!['of']).toBe('2');
  const none = divided({ shared, apart: undefined, environments: [] }, undefined);
  expect(told(none)).toEqual([['shop', []]]);
});

test('Solutions that share a namespace state it alike', () => {
  const space = (labels: object): KubernetesObject => {
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels } };
  };
  const [one, two] = sameSpaces(
    [rendered('a', '1.0.0', [space({ x: '1' })]).solution, rendered('a', '1.0.0', [space({ y: '2' })]).solution],
    new Set(['a']),
  );
  expect(one!.components[0]!.objects).toEqual([space({ x: '1', y: '2' })]);
  expect(two!.components).toEqual(one!.components);
});
