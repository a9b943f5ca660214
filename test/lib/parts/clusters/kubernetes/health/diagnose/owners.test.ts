import { expect, test } from 'vitest';
import {
  newestRevision,
  ownedBy,
  selectorOf,
  tellingFirst,
} from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/owners.ts';
import { live } from '../readiness/object.ts';

const owner = live('apps/v1/ReplicaSet', { metadata: { uid: 'u1' } });

test('an object belongs to its owner by uid, whatever names and labels say', () => {
  const references = (...uids: string[]) => uids.map((uid) => ({ kind: 'ReplicaSet', name: 'web', uid }));
  expect(ownedBy(live('v1/Pod', { metadata: { ownerReferences: references('u0', 'u1') } }), owner)).toBe(true);
  expect(ownedBy(live('v1/Pod', { metadata: { ownerReferences: references('u2') } }), owner)).toBe(false);
  expect(ownedBy(live('v1/Pod', { metadata: { labels: { app: 'web' } } }), owner)).toBe(false);
});

test('the newest revision is the highest number, not the first or the last name', () => {
  const set = (name: string, revision?: string) =>
    live('apps/v1/ReplicaSet', {
      metadata: { name, annotations: revision === undefined ? {} : { 'deployment.kubernetes.io/revision': revision } },
    });
  expect(newestRevision([set('a', '9'), set('b', '10'), set('c', '2'), set('d')])?.metadata.name).toBe('b');
  expect(newestRevision([])).toBeUndefined();
});

test('the labels of a selector narrow a search', () => {
  const set = (selector: unknown, type = 'apps/v1/ReplicaSet') => selectorOf(live(type, { spec: { selector } }));
  expect(set({ matchLabels: { app: 'web', tier: 'x' } })).toBe('app=web,tier=x');
  expect(set({ matchExpressions: [{ key: 'app', operator: 'Exists' }] })).toBe('');
  expect(set({ app: 'web' }, 'v1/ReplicationController')).toBe('app=web');
  expect(set(undefined)).toBe('');
});

test('Pods that live tell before those that ended, and the newest before older ones', () => {
  const pod = (name: string, creationTimestamp: string, more: object = {}, phase = 'Pending') =>
    live('v1/Pod', { metadata: { name, creationTimestamp, ...more }, status: { phase } });
  const pods = [
    pod('leaving', '2030-01-01T00:00:09Z', { deletionTimestamp: '2030-01-01T00:01:00Z' }),
    pod('evicted', '2030-01-01T00:00:08Z', {}, 'Failed'),
    pod('old', '2030-01-01T00:00:01Z'),
    pod('new', '2030-01-01T00:00:05Z'),
  ];
  expect(tellingFirst(pods).map((one) => one.metadata.name)).toEqual(['new', 'old', 'evicted', 'leaving']);
});
