import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../formats/manifest/documents.ts';
import { assumedCluster } from '../../../../../lib/shared/rendering/assumed-cluster.ts';
import { invalidIn } from '../../../../../lib/shared/rendering/closure/shapes.ts';
import type { PlacedStatement } from '../../../../../lib/shared/rendering/closure/statements.ts';
import { sound, soundOne } from '../../../../formats/kubernetes/support.ts';

const placed = (object: KubernetesObject): PlacedStatement => ({
  component: 'web',
  object,
  source: 'templates/web.yaml',
  key: object.metadata.name,
  namespace: 'default',
});
const found = (version: string | undefined, ...objects: KubernetesObject[]): string[] =>
  invalidIn({ version, statements: objects.map(placed) }).map(({ path, message }) => `${path}: ${message}`);

test('what Kubernetes takes is not told', () => {
  expect(found('1.35.0', ...sound)).toEqual([]);
  expect(found(undefined, ...sound)).toEqual([]);
});

test('an unknown field is reported with its place, for the version at hand', () => {
  const pod = {
    ...soundOne('Service/headless'),
    spec: { clusterIP: 'None', trafficDistribution: 'PreferClose', port: 1 },
  };
  expect(found('1.29.0', pod)).toEqual([
    'spec.trafficDistribution: is a field since 1.30 only, which Kubernetes 1.29 does not know',
    'spec.port: unknown field; did you mean "ports"?',
  ]);
  expect(found('1.30.0', pod)).toEqual(['spec.port: unknown field; did you mean "ports"?']);
});

test('where the version is not known, only what no version takes is reported', () => {
  const budget = soundOne('PodDisruptionBudget/budget');
  const removed = { ...budget, apiVersion: 'policy/v1beta1', spec: { maxUnavailable: 1 } };
  expect(found(undefined, removed)).toEqual([]);
  expect(found('1.30.0', removed)).toEqual([expect.stringMatching(/until 1\.24; it serves policy\/v1/)]);
  const never = { ...soundOne('ConfigMap/config'), data: { a: 1 } };
  expect(found(undefined, never)).toHaveLength(1);
});

test('custom resources are checked against definitions of the same Solution', () => {
  const gadget = { ...soundOne('Gadget/gadget.one'), spec: { mode: 'fast', moed: 1 } };
  expect(found('1.35.0', gadget)).toEqual([]);
  expect(found('1.35.0', gadget, soundOne('CustomResourceDefinition/gadgets.sound.example.com'))).toEqual([
    'spec.moed: unknown field; did you mean "mode"?',
  ]);
});

test('a cluster that nobody can ask has what its version serves', () => {
  const { version, apiVersions, namespaced } = assumedCluster('1.30.0');
  expect(version).toBe('v1.30.0');
  expect(apiVersions).toEqual(expect.arrayContaining(['apps/v1', 'apps/v1/Deployment', 'v1/Pod']));
  expect([namespaced('', 'Node'), namespaced('', 'Pod'), namespaced('example.com', 'A')]).toEqual([
    false,
    true,
    undefined,
  ]);
  expect(assumedCluster(undefined)).toMatchObject({ version: undefined, apiVersions: [] });
});
