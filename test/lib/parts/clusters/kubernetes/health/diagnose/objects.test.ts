import { describe, expect, test } from 'vitest';
import { condition, live } from '../readiness/object.ts';
import { event, explained } from './evidence.ts';

describe('a PersistentVolumeClaim', () => {
  const claim = (storageClassName?: string) =>
    live('v1/PersistentVolumeClaim', { spec: { storageClassName }, status: { phase: 'Pending' } });
  const storageClass = { ...live('storage.k8s.io/v1/StorageClass'), provisioner: 'csi.example.com' };

  test('names a StorageClass that does not exist', () => {
    const found = explained(claim('fast'), { storageClass: 'absent' });
    expect(found.cause).toBe('its StorageClass fast does not exist');
    expect(found.hint).toContain('kubectl get storageclass');
  });

  test('has no StorageClass, and no volume fits', () => {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    const found = explained(claim(), { events: [event(claim(), 'FailedBinding', message, { type: 'Normal' })] });
    expect(found.cause).toBe('no PersistentVolume fits it, and it has no StorageClass that could make one');
    expect(found.hint).toContain('storageClassName');
  });

  test('waits for a driver that does nothing, or gets an error of it', () => {
    const waiting =
      "Waiting for a volume to be created either by the external provisioner 'csi.example.com' or manually";
    const external = event(claim('ext'), 'ExternalProvisioning', waiting, { type: 'Normal' });
    expect(explained(claim('ext'), { storageClass, events: [external] }).cause).toBe(
      'it waits for provisioner csi.example.com, which makes no volume',
    );
    const failed = event(claim('ext'), 'ProvisioningFailed', 'pool is full');
    expect(explained(claim('ext'), { storageClass, events: [external, failed] }).cause).toBe(
      'no volume can be made for it: pool is full',
    );
  });

  test.each([
    'no volume plugin matched name: kubernetes.io/no-provisioner',
    'storageclass.storage.k8s.io "local" not found',
  ])('of a class that makes no volumes needs one that fits (%s)', (message) => {
    const events = [event(claim('local'), 'ProvisioningFailed', message)];
    expect(explained(claim('local'), { storageClass, events }).cause).toBe(
      'no PersistentVolume of StorageClass local fits it, and none is made for it',
    );
  });

  test('of which nothing is known is reported by its state', () => {
    expect(explained(claim('local')).cause).toBe('is not bound to a volume yet');
  });
});

test('a CustomResourceDefinition whose names are taken says which', () => {
  const taken = condition('NamesAccepted', 'False', 'ListKindConflict', '"WidgetList" is already in use');
  const found = explained(
    live('apiextensions.k8s.io/v1/CustomResourceDefinition', {
      spec: { group: 'a.example' },
      status: { conditions: [taken] },
    }),
  );
  expect(found.cause).toBe(
    'its names are taken by another CustomResourceDefinition of group a.example: "WidgetList" is already in use',
  );
});

test('an APIService says which server does not answer', () => {
  const missing = condition('Available', 'False', 'ServiceNotFound', 'service/metrics in "shop" is not present');
  const found = explained(
    live('apiregistration.k8s.io/v1/APIService', {
      spec: { service: { namespace: 'shop', name: 'metrics' } },
      status: { conditions: [missing] },
    }),
  );
  expect(found.cause).toContain('(ServiceNotFound): service/metrics in "shop" is not present');
  expect(found.hint).toContain('Service shop/metrics');
});

test('a load balancer that gives no address is named by its class', () => {
  const spec = { type: 'LoadBalancer', clusterIP: '10.0.0.1', loadBalancerClass: 'a.example/lb' };
  const found = explained(live('v1/Service', { spec }));
  expect(found.cause).toBe('no load balancer of class a.example/lb has given it an address yet');
  expect(found.hint).toContain('class a.example/lb');
});

describe('an object that is being deleted', () => {
  const leaving = (type: string, finalizers: readonly unknown[], status?: object) =>
    explained(live(type, { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers }, status }));

  test('is held by finalizers, which are named', () => {
    const found = leaving('v1/ConfigMap', ['a.example/one', 'a.example/two']);
    expect(found.cause).toBe('it is being deleted, and held by finalizers a.example/one, a.example/two');
    expect(found.hint).toContain('start the controller that removes them');
  });

  test.each([
    ['v1/PersistentVolumeClaim', 'kubernetes.io/pvc-protection', 'a Pod still uses it'],
    ['apps/v1/Deployment', 'foregroundDeletion', 'the objects that it owns'],
    [
      'apiextensions.k8s.io/v1/CustomResourceDefinition',
      'customresourcecleanup.apiextensions.k8s.io',
      'custom resources',
    ],
  ])('of kind %s by a finalizer of Kubernetes says what that waits for', (type, finalizer, words) => {
    expect(leaving(type, [finalizer]).cause).toContain(words);
  });

  test('and is a Namespace says what is left in it', () => {
    const remaining = 'Some content in the namespace has finalizers remaining: a.example/hold in 1 resource instances';
    const conditions = [
      condition('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', 'configmaps. has 1 resource instances'),
      condition('NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain', remaining),
    ];
    expect(leaving('v1/Namespace', [], { phase: 'Terminating', conditions }).cause).toContain(remaining);
    const undiscovered = [
      condition('NamespaceDeletionDiscoveryFailure', 'True', 'DiscoveryFailed', 'a.example/v1: stale'),
    ];
    expect(leaving('v1/Namespace', [], { phase: 'Terminating', conditions: undiscovered }).hint).toContain(
      'apiservice',
    );
  });

  test('without any of that is reported plainly', () => {
    expect(leaving('v1/ConfigMap', []).cause).toBe('it is being deleted');
    expect(leaving('v1/ConfigMap', [7, null]).cause).toBe('it is being deleted');
  });
});

describe('a custom resource', () => {
  const status = { conditions: [condition('Ready', 'False', 'NoDisk', 'there is no disk')] };

  test('says what its condition says, and names who writes it', () => {
    const managedFields = [{ manager: 'kubectl' }, { manager: 'database-operator', subresource: 'status' }];
    const found = explained(live('a.example/v1/Database', { metadata: { managedFields }, status }));
    expect(found.cause).toBe('is not ready: there is no disk');
    expect(found.hint).toContain('"database-operator"');
  });

  test('that nobody has looked at asks for its controller', () => {
    const found = explained(
      live('a.example/v1/Database', { metadata: { generation: 2 }, status: { observedGeneration: 1 } }),
    );
    expect(found.cause).toContain('its controller has not processed its newest version yet');
    expect(found.hint).toContain('that the controller of Database runs');
  });
});
