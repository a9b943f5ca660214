import { describe, expect, test } from 'vitest';
import { knownMinors, minorOf, nearestMinor } from '../../../formats/kubernetes/minors.ts';
import { isKubernetesGroup, namespacedBy, notServed, servedByDefault } from '../../../formats/kubernetes/served.ts';

describe('what API servers serve', () => {
  test('is listed as a cluster lists it', () => {
    const served = servedByDefault(35);
    expect(served).toEqual([...new Set(served)].sort());
    expect(served).toEqual(
      expect.arrayContaining(['v1', 'v1/Pod', 'apps/v1', 'apps/v1/Deployment', 'networking.k8s.io/v1/ServiceCIDR']),
    );
    expect(served).not.toContain('networking.k8s.io/v1beta1');
  });

  test('changes with the minors', () => {
    const versionsOf = (minor: number): string[] =>
      servedByDefault(minor).filter((one) => /^(?:flowcontrol\S*|autoscaling)\/v\w+$/.test(one));
    expect(versionsOf(24)).toEqual([
      ...['autoscaling/v1', 'autoscaling/v2', 'autoscaling/v2beta1', 'autoscaling/v2beta2'],
      ...['flowcontrol.apiserver.k8s.io/v1beta1', 'flowcontrol.apiserver.k8s.io/v1beta2'],
    ]);
    expect(versionsOf(29)).toEqual([
      ...['autoscaling/v1', 'autoscaling/v2'],
      ...['flowcontrol.apiserver.k8s.io/v1', 'flowcontrol.apiserver.k8s.io/v1beta3'],
    ]);
    expect(servedByDefault(24)).toContain('policy/v1beta1/PodSecurityPolicy');
    expect(servedByDefault(25)).not.toContain('policy/v1beta1/PodSecurityPolicy');
  });

  test('is taken from the nearest minor that is known', () => {
    expect(servedByDefault(1)).toEqual(servedByDefault(knownMinors.oldest));
    expect(servedByDefault(1000)).toEqual(servedByDefault(knownMinors.newest));
    expect([nearestMinor(0), nearestMinor(30), nearestMinor(1000)]).toEqual([
      knownMinors.oldest,
      30,
      knownMinors.newest,
    ]);
  });

  test('has a scope, also where it is served no more, or only if it is turned on', () => {
    expect([namespacedBy('', 'Pod'), namespacedBy('', 'Node')]).toEqual([true, false]);
    expect(namespacedBy('policy', 'PodSecurityPolicy')).toBe(false);
    expect(namespacedBy('internal.apiserver.k8s.io', 'StorageVersion')).toBe(false);
    expect(namespacedBy('apps', 'Widget')).toBeUndefined();
    expect(namespacedBy('constructor', 'toString')).toBeUndefined();
    expect(isKubernetesGroup('example.com')).toBe(false);
  });

  test('is nothing to say about kinds of others', () => {
    expect(notServed(35, 'example.com/v1', 'Widget')).toBeUndefined();
    expect(notServed(35, 'v2', 'Pod')).toBe('Kubernetes 1.35 does not serve v2 Pod; it serves v1 Pod');
    expect(notServed(35, 'v1', 'Widget')).toBe('Kubernetes 1.35 does not serve v1 Widget');
  });
});

test.each([
  ['v1.35.4', 35],
  ['1.29', 29],
  ['v1.30.0-rc.1+k3s1', 30],
  ['v2.1.0', undefined],
  ['1', undefined],
  ['v1.x', undefined],
  ['v1.99999', undefined],
])('the minor of %s is %s', (version, minor) => {
  expect(minorOf(version)).toBe(minor);
});
