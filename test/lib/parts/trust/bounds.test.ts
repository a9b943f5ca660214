import { describe, expect, test } from 'vitest';
import type { Bounds } from '../../../../formats/trust/bounds.ts';
import { breachesOfObject, breachesOfRoot } from '../../../../lib/parts/trust/bounds.ts';

const words = (found: readonly { subject: string; message: string }[]): string[] =>
  found.map(({ subject, message }) => `${subject}: ${message}`);

describe('by its root', () => {
  const extent = {
    components: [
      { name: 'web', kind: 'manifests' },
      { name: 'gpu', kind: 'plugin' },
    ],
    images: ['registry.example.com/shop/web:1', 'nginx:1', 'Not A Name'],
  } as const;

  test('a Solution breaches every bound that one of its components and images is beyond, and is reported all of them', () => {
    expect(
      words(breachesOfRoot(extent, { components: ['manifests'], images: ['registry.example.com/shop/*'] })),
    ).toEqual([
      'component gpu: is of the kind plugin that the policy does not allow',
      'image nginx:1: is of a repository that the policy does not allow',
      'image Not A Name: is of a repository that the policy does not allow',
    ]);
  });

  test('a folder of components takes plugins to be allowed as well', () => {
    const components = [{ name: 'edge', kind: 'components.d' }] as const;
    const told = (...allowed: ('components.d' | 'plugin')[]): string[] =>
      words(breachesOfRoot({ components, images: [] }, { components: allowed }));
    expect(told('components.d', 'plugin')).toEqual([]);
    for (const one of ['components.d', 'plugin'] as const) {
      expect(told(one)).toEqual(['component edge: is of the kind components.d that the policy does not allow']);
    }
  });

  test('a Solution breaches no bound that is left out', () => {
    expect(breachesOfRoot(extent, { namespaces: [], clusterScoped: [], moveTags: false })).toEqual([]);
  });
});

describe('an object', () => {
  const bounds: Bounds = { namespaces: ['shop'], clusterScoped: ['ClusterRole.rbac.authorization.k8s.io'] };
  const told = (groupKind: string, name: string, namespace?: string): string[] =>
    words(breachesOfObject({ groupKind, name, namespace }, bounds));

  test('is within its bounds in an allowed namespace, whatever its kind, and outside of namespaces by its kind', () => {
    expect(told('RoleBinding.rbac.authorization.k8s.io', 'r', 'shop')).toEqual([]);
    expect(told('ClusterRole.rbac.authorization.k8s.io', 'r')).toEqual([]);
    expect(told('Namespace', 'shop')).toEqual([]);
  });

  test('is reported by its kind and its place where it is beyond them', () => {
    expect(told('ConfigMap', 'c', 'kube-system')).toEqual([
      'ConfigMap kube-system/c: is in the namespace kube-system that the policy does not allow',
    ]);
    expect(told('ClusterRoleBinding.rbac.authorization.k8s.io', 'r')).toEqual([
      'ClusterRoleBinding r: is of the kind ClusterRoleBinding.rbac.authorization.k8s.io that the policy does not allow',
    ]);
    expect(told('Namespace', 'other')).toEqual(['Namespace other: is a namespace that the policy does not allow']);
  });
});
