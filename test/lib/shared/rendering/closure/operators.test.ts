import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../formats/manifest/documents.ts';
import { looksLikeOperator } from '../../../../../lib/shared/rendering/closure/operators.ts';
import { placeStatements } from '../../../../../lib/shared/rendering/closure/statements.ts';

const object = (apiVersion: string, kind: string, fields: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...fields,
});
const runner = object('apps/v1', 'Deployment', {});
const definition = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
  spec: { group: 'a.example', names: { kind: 'A' }, versions: [{ name: 'v1', served: true }] },
});
const role = (verb: string, resource: string): KubernetesObject =>
  object('rbac.authorization.k8s.io/v1', 'ClusterRole', {
    rules: [{ apiGroups: ['', 'apps'], resources: [resource], verbs: [verb] }],
  });

test.each([
  ['runs, defines kinds, and may create Pods', true, [runner, definition, role('create', 'pods')]],
  ['may do everything with what makes Pods', true, [runner, definition, role('*', 'deployments')]],
  ['defines no kinds', false, [runner, role('create', 'pods')]],
  ['runs nothing', false, [definition, role('create', 'pods')]],
  ['may only look at Pods', false, [runner, definition, role('list', 'pods')]],
])('a component that %s looks like an operator: %s', (_, expected, objects) => {
  const component = { name: 'c', kind: 'manifests', entry: '', values: [], after: [] } as never;
  const placed = placeStatements([{ component, objects: objects.map((one) => ({ object: one, source: undefined })) }]);
  expect(looksLikeOperator(placed)).toBe(expected);
});
