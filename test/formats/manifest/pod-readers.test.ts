import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { podReaders } from '../../../formats/manifest/pod-readers.ts';

const secret: KubernetesObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
const pod = (spec: object): KubernetesObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });

test.each([
  ['a variable', pod({ containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 's', key: 'a' } } }] }] })],
  ['all variables', pod({ initContainers: [{ envFrom: [{ secretRef: { name: 's' } }] }] })],
  ['a volume', pod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] })],
  ['a part of a volume', pod({ volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] })],
  ['a login', pod({ imagePullSecrets: [{ name: 's' }] })],
])('Pods read a Secret as %s', (_, reader) => {
  expect(podReaders(secret, [secret, reader])).toEqual([reader]);
  expect(podReaders({ ...secret, metadata: { name: 'other' } }, [reader])).toEqual([]);
  expect(podReaders({ ...secret, kind: 'ConfigMap' }, [reader])).toEqual([]);
  expect(podReaders({ ...secret, metadata: { name: 's', namespace: 'n' } }, [reader])).toEqual([]);
});

test('a workload reads what its Pods read, also as a schedule', () => {
  const template = { spec: { volumes: [{ name: 'v', configMap: { name: 's' } }] } };
  const map = { ...secret, kind: 'ConfigMap' };
  const of = (kind: string, spec: object): KubernetesObject => ({ ...pod(spec), kind });
  const all = [of('Deployment', { template }), of('CronJob', { jobTemplate: { spec: { template } } })];
  expect(podReaders(map, all)).toEqual(all);
});
