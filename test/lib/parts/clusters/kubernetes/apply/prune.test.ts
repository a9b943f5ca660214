import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isLeaving,
  keptFor,
  occupants,
} from '../../../../../../lib/parts/clusters/kubernetes/apply/namespace-contents.ts';
import { keptBecause, unwanted } from '../../../../../../lib/parts/clusters/kubernetes/apply/prune.ts';
import { definition, live, map, stated } from '../support.ts';

const scope = { namespaces: new Set(['n']) };

describe('of the members of a set', () => {
  test('those are unwanted that are not to stay', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(names, names, (there, wanted) => {
        const keys = new Set(wanted.map((name) => `/ConfigMap n/${name}`));
        const left = unwanted(
          there.map((name) => live(map(`n/${name}`))),
          scope,
          keys,
        );
        expect(left.map(({ metadata }) => metadata.name)).toEqual(there.filter((name) => !wanted.includes(name)));
      }),
    );
  });

  test.each([
    ['in a namespace that the set does not cover', live(map('other/a'))],
    [
      'that a controller has made, and copied the labels to',
      live(map('n/a'), { managedFields: [{ manager: 'x', operation: 'Update' }] }),
    ],
    [
      'that a controller owns',
      live(map('n/a'), { ownerReferences: [{ kind: 'Set', name: 's', uid: 'u', controller: true }] }),
    ],
  ])('none is that is %s', (_, object) => {
    expect(unwanted([object], scope, new Set())).toEqual([]);
  });

  test('one outside of namespaces is, and one that somebody refers to as its owner without being in charge', () => {
    const owned = live(map('n/a'), { ownerReferences: [{ kind: 'Set', name: 's', uid: 'u' }] });
    const role = live(stated('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r'));
    expect(unwanted([owned, role], scope, new Set())).toEqual([owned, role]);
  });
});

test.each([
  ['a definition', definition('Widget'), /every object of its kind/],
  ['a claim', stated('v1', 'PersistentVolumeClaim', 'n/c'), /data/],
  ['a volume', stated('v1', 'PersistentVolume', 'v'), /data/],
  ['a namespace of Kubernetes', stated('v1', 'Namespace', 'kube-system'), /belongs to Kubernetes/],
  ['the namespace of solpack', stated('v1', 'Namespace', 'solpack-system'), /solpack keeps its records/],
  ['an inventory', map('solpack-system/solution-shop'), /solpack keeps its records/],
])('%s is never deleted', (_, object, reason) => {
  expect(keptBecause(live(object))).toMatch(reason);
});

test('what its chart wants to outlive it is not deleted; anything else is', () => {
  const kept = live(map('n/a'), { annotations: { 'helm.sh/resource-policy': ' Keep' } });
  expect(keptBecause(kept)).toContain('helm.sh/resource-policy');
  expect(keptBecause(live(map('n/a'), { annotations: { 'helm.sh/resource-policy': 'delete' } }))).toBeUndefined();
  expect(keptBecause(live(stated('v1', 'Namespace', 'shop')))).toBeUndefined();
  expect(keptBecause(live(stated('example.com/v1', 'PersistentVolume', 'n/v')))).toBeUndefined();
});

describe('in a namespace', () => {
  const furniture = [
    stated('v1', 'ConfigMap', 'n/kube-root-ca.crt'),
    stated('v1', 'ServiceAccount', 'n/default'),
    stated('v1', 'Endpoints', 'n/web'),
    stated('discovery.k8s.io/v1', 'EndpointSlice', 'n/web-x'),
    stated('coordination.k8s.io/v1', 'Lease', 'n/leader'),
    stated('events.k8s.io/v1', 'Event', 'n/e'),
  ].map((object) => live(object));

  test('nobody lives where only that is which Kubernetes puts there, or leaves behind', () => {
    expect(occupants(furniture)).toEqual([]);
    expect(keptFor([])).toBeUndefined();
  });

  test('owners count, and what they own does not; claims are reported first', () => {
    const owner = live(stated('apps/v1', 'Deployment', 'n/web'));
    const ownerReferences = [{ kind: 'Deployment', name: 'web', uid: owner.metadata.uid, controller: true }];
    const owned = live(stated('apps/v1', 'ReplicaSet', 'n/web-1'), { ownerReferences });
    const claim = live(stated('v1', 'PersistentVolumeClaim', 'n/data'));
    const living = occupants([...furniture, owned, owner, claim]);
    expect(living).toEqual([claim, owner]);
    expect(keptFor(living)).toBe('its removal would delete data: PersistentVolumeClaim data, Deployment web');
  });

  test('some of those who live there are named, and the others counted', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => live(map(`n/${name}`)));
    expect(keptFor(many)).toBe('it contains objects of others: ConfigMap a, ConfigMap b, ConfigMap c and 2 more');
  });

  test('those leave by themselves that are being deleted, or whose owner is gone', () => {
    const ownerReferences = [{ kind: 'Set', name: 's', uid: 'gone' }];
    expect(isLeaving(live(map('n/a'), { ownerReferences }))).toBe(true);
    expect(isLeaving(live(map('n/a'), { deletionTimestamp: '2025-01-01T00:00:00Z' }))).toBe(true);
    expect(isLeaving(live(map('n/a')))).toBe(false);
  });
});
