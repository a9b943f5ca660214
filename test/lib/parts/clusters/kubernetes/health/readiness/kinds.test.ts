import { describe, expect, test } from 'vitest';
import { readinessOf } from '../../../../../../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import { condition, live, told, words } from './object.ts';

test('an object that is being deleted is terminating, whatever its status says', () => {
  const metadata = { deletionTimestamp: '2030-01-01T00:00:00Z' };
  const status = { phase: 'Running', conditions: [condition('Ready', 'True')] };
  expect(told('v1/Pod', { metadata, status })).toBe('terminating: is being deleted');
});

test.each(['v1/ConfigMap', 'v1/Secret', 'networking.k8s.io/v1/Ingress', 'policy/v1/PodDisruptionBudget'])(
  '%s is ready when it is there',
  (type) => {
    expect(told(type, { status: { conditions: [condition('DisruptionAllowed', 'False')] } })).toBe('ready: is there');
  },
);

describe('a PersistentVolumeClaim', () => {
  const claim = (status: object, more: object = {}, mode?: string): string => {
    const spec = { storageClassName: 'local', ...more };
    const storageClass = live('storage.k8s.io/v1/StorageClass', { metadata: { name: 'local' } });
    const object = live('v1/PersistentVolumeClaim', { spec, status });
    return words(
      readinessOf(object, mode === undefined ? {} : { storageClass: { ...storageClass, volumeBindingMode: mode } }),
    );
  };

  test('is ready when it is bound, and has failed when its volume is lost', () => {
    expect(claim({ phase: 'Bound' })).toBe('ready: is bound');
    expect(claim({ phase: 'Lost' })).toBe('failed: has lost its volume');
    expect(claim({ phase: 'Pending' }, {}, 'Immediate')).toBe('waiting: is not bound to a volume yet');
    expect(claim({ phase: 'Pending' })).toMatch(/^waiting/);
    expect(claim({})).toMatch(/^waiting/);
  });

  test('that waits for its first Pod holds nothing up', () => {
    expect(claim({ phase: 'Pending' }, {}, 'WaitForFirstConsumer')).toBe('ready: waits for its first Pod');
  });

  test('is waited for once its first Pod has a node, or it names its volume', () => {
    expect(claim({ phase: 'Pending' }, { volumeName: 'v' }, 'WaitForFirstConsumer')).toMatch(/^waiting/);
    const object = live('v1/PersistentVolumeClaim', {
      metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node1' } },
      spec: { storageClassName: 'local' },
      status: { phase: 'Pending' },
    });
    const storageClass = { ...live('storage.k8s.io/v1/StorageClass'), volumeBindingMode: 'WaitForFirstConsumer' };
    expect(readinessOf(object, { storageClass }).state).toBe('waiting');
  });
});

test.each([
  ['Available', 'ready: is available'],
  ['Bound', 'ready: is bound'],
  ['Released', 'ready: is released'],
  ['Pending', 'waiting: is not available yet'],
  [undefined, 'waiting: is not available yet'],
  ['Failed', 'failed: has failed: disk on fire'],
])('a PersistentVolume in phase %s', (phase, message) => {
  expect(told('v1/PersistentVolume', { status: { phase, message: 'disk on fire' } })).toBe(message);
});

describe('a Service', () => {
  const balanced = (more: object = {}, status: object = { loadBalancer: {} }, metadata: object = {}): string =>
    told('v1/Service', {
      spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1', ...more },
      status,
      metadata: { ...metadata },
    });

  test('is ready when it has a cluster IP, or needs none', () => {
    expect(told('v1/Service', { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1' } })).toMatch(/^ready/);
    expect(told('v1/Service', { spec: { type: 'ClusterIP', clusterIP: 'None' } })).toMatch(/^ready/);
    expect(told('v1/Service', { spec: { type: 'ExternalName', externalName: 'a.example' } })).toMatch(/^ready/);
    expect(told('v1/Service', { spec: { type: 'ClusterIP' } })).toBe('waiting: has no cluster IP yet');
  });

  test('of type LoadBalancer is not held up on a node where nobody gives addresses', () => {
    expect(balanced()).toBe('ready: has its cluster IP; no load balancer handles it');
    expect(balanced({ clusterIP: '' })).toMatch(/^waiting/);
  });

  test('of type LoadBalancer waits for its address where somebody is in charge', () => {
    expect(balanced({ loadBalancerClass: 'a.example/lb' })).toBe(
      'waiting: no load balancer of class a.example/lb has given it an address yet',
    );
    const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
    expect(balanced({}, {}, { finalizers })).toMatch(/^waiting: its load balancer/);
    const given = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    expect(balanced({ loadBalancerClass: 'a.example/lb' }, given, { finalizers })).toBe('ready: has its addresses');
  });
});

describe('a CustomResourceDefinition', () => {
  const definition = (...conditions: object[]): string =>
    told('apiextensions.k8s.io/v1/CustomResourceDefinition', { status: { conditions } });

  test('is ready when it is established', () => {
    const accepted = condition('NamesAccepted', 'True', 'NoConflicts');
    expect(definition()).toBe('waiting: is not established yet');
    expect(definition(accepted, condition('Established', 'False', 'Installing'))).toMatch(/^waiting/);
    expect(definition(accepted, condition('Established', 'True'))).toBe('ready: is established');
  });

  test('has failed when its names are taken, or it cannot be established', () => {
    const taken = condition('NamesAccepted', 'False', 'ListKindConflict', '"WidgetList" is already in use');
    expect(definition(taken, condition('Established', 'True'))).toBe(
      'failed: its names are not accepted: "WidgetList" is already in use',
    );
    expect(definition(condition('Established', 'False', 'NotAccepted'))).toBe(
      'failed: is not established: NotAccepted',
    );
  });
});

test('an APIService is ready when the server behind it answers', () => {
  const service = (...conditions: object[]): string =>
    told('apiregistration.k8s.io/v1/APIService', { status: { conditions } });
  expect(service()).toBe('waiting: is not available yet');
  expect(service(condition('Available', 'True', 'Local'))).toBe('ready: is available');
  expect(service(condition('Available', 'False', 'MissingEndpoints', 'no addresses'))).toBe(
    'waiting: is not available: no addresses',
  );
});

test('a Namespace is ready when it is active', () => {
  expect(told('v1/Namespace', { status: { phase: 'Active' } })).toBe('ready: is active');
  expect(told('v1/Namespace', { status: { phase: 'Terminating' } })).toBe('terminating: is being deleted');
  expect(told('v1/Namespace')).toBe('waiting: is not active yet');
});

describe('a custom resource', () => {
  const custom = (conditions: readonly object[], metadata: Readonly<Record<string, unknown>> = {}): string =>
    told('a.example/v1/Database', { metadata, status: { conditions } });

  test('without conditions is ready', () => {
    expect(told('a.example/v1/Database')).toBe('ready: is there');
    expect(custom([condition('Synced', 'False')])).toBe('ready: is there');
  });

  test.each([
    ['ready: is ready', [condition('Available', 'False'), condition('Ready', 'True')]],
    ['ready: is available', [condition('Available', 'True')]],
    ['waiting: is not ready: no disk', [condition('Ready', 'False', 'NoDisk', 'no disk')]],
    ['waiting: is not ready: NoDisk', [condition('Ready', 'False', 'NoDisk')]],
    ['waiting: is not ready: Ready is Unknown', [condition('Ready', 'Unknown')]],
    ['waiting: is not available: Available is unknown', [{ type: 'Available' }]],
    ['waiting: moving', [condition('Reconciling', 'True', 'Moving', 'moving'), condition('Ready', 'True')]],
    ['failed: stuck', [condition('Stalled', 'True', 'Stuck', 'stuck'), condition('Ready', 'True')]],
    ['failed: broken', [condition('Failed', 'True', 'Broken', 'broken')]],
    ['ready: is ready', [condition('Failed', 'False'), condition('Stalled', 'False'), condition('Ready', 'True')]],
  ])('%s', (message, conditions) => {
    expect(custom(conditions)).toBe(message);
  });

  test('is waited for while its status, or its condition alone, is of an older generation', () => {
    const metadata = { generation: 3 };
    const old = { ...condition('Ready', 'True'), observedGeneration: 2 };
    expect(custom([old], metadata)).toMatch(/^waiting: its controller has not processed/);
    expect(custom([{ ...old, observedGeneration: 3 }], metadata)).toMatch(/^ready/);
    const stalled = { ...condition('Stalled', 'True'), observedGeneration: 2 };
    expect(custom([stalled, condition('Ready', 'True')], metadata)).toMatch(/^ready/);
    const status = { observedGeneration: 2, conditions: [condition('Ready', 'True')] };
    expect(told('a.example/v1/Database', { metadata, status })).toMatch(/^waiting: its controller/);
  });

  test('is not taken for a built-in kind of the same name', () => {
    expect(told('a.example/v1/Deployment', { spec: { replicas: 3 } })).toBe('ready: is there');
    expect(told('a.example/v1/Job')).toBe('ready: is there');
  });
});
