import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { convertBundle } from '../../../formats/bundle/convert.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { type BundleChanges, bundleFiles, operatorBundle } from '../../support/operator-bundles.ts';

const NAMESPACE = 'cache-system';

const objects = (changes: BundleChanges): KubernetesObject[] =>
  convertBundle(readOperatorBundle(bundleFiles(operatorBundle(changes))), {
    namespace: NAMESPACE,
    certificates: 'cert-manager',
  }).map(({ object }) => object);

const webhook = {
  type: 'ValidatingAdmissionWebhook',
  generateName: 'vcache.example.com',
  deploymentName: 'cache-operator',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

test('states a service account once that the bundle states itself, as the bundle does', () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'cache-operator' }, secrets: [] };
  const accounts = objects({ files: { 'manifests/account.yaml': stringify(account) } }).filter(
    ({ kind }) => kind === 'ServiceAccount',
  );
  expect(accounts).toEqual([{ ...account, metadata: { name: 'cache-operator', namespace: NAMESPACE } }]);
});

test('states the Service before webhooks once that the bundle states itself, as OLM makes it', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cache-operator-service' }, spec: {} };
  const changes = {
    spec: { webhookdefinitions: [webhook] },
    files: { 'manifests/service.yaml': stringify(service) },
  };
  expect(objects(changes).filter(({ kind }) => kind === 'Service')).toEqual(
    objects({ ...changes, files: {} }).filter(({ kind }) => kind === 'Service'),
  );
});

test('states rights once that a bundle asks for twice, and other objects of one name as often as they are there', () => {
  const one = {
    serviceAccountName: 'cache-operator',
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  };
  const strategy = { permissions: [], clusterPermissions: [one, one] };
  const kinds = objects({ strategy }).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind.startsWith('ClusterRole'))).toEqual(['ClusterRole', 'ClusterRoleBinding']);
  const map = (text: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${text}}\n`;
  const files = { 'manifests/a.yaml': `${map('b')}---\n${map('c')}---\n${map('b')}` };
  expect(objects({ files }).filter(({ kind }) => kind === 'ConfigMap')).toHaveLength(2);
});

test('takes the port of a webhook where its target is 0, as API servers do', () => {
  const changes = { spec: { webhookdefinitions: [{ ...webhook, containerPort: 9443, targetPort: 0 }] } };
  const [service] = objects(changes).filter(({ kind }) => kind === 'Service');
  expect(service).toMatchObject({ spec: { ports: [{ port: 9443, targetPort: 9443 }] } });
});
