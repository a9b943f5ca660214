import { describe, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { readinessOf } from '../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import { nameOf } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { eventually } from '../support/until.ts';
import { about, gone, promisingServers, refusal, spaced } from './api-server.ts';

// What an install can tell of removals, of a real API server and of the one in memory alike.

const { signal } = new AbortController();

describe.each(promisingServers())('$name', (server) => {
  const within = spaced(server);

  within(
    'makes an object anew that is written at a version, and does not where the uid is given as well',
    async (api, space) => {
      const lease = (read: object): KubernetesObject => {
        return about(
          stated('coordination.k8s.io/v1', 'Lease', `${space}/gone`, { spec: { holderIdentity: 'one' } }),
          read,
        );
      };
      const { uid, resourceVersion } = (await api.apply(lease({}), {}, signal)).metadata;
      const name = nameOf(lease({}));
      await api.remove(name, { propagation: 'Background' }, signal);
      const late = await refusal(api.apply(lease({ uid, resourceVersion }), { force: true }, signal));
      expect(late).toMatchObject({ status: 409, reason: 'Conflict' });
      expect(late.message).toMatch(
        /uid mismatch: the provided object specified uid \S+, and no existing object was found/,
      );
      expect(await api.read(name, signal)).toBeUndefined();
      expect((await api.apply(lease({ resourceVersion }), { force: true }, signal)).metadata.uid).not.toBe(uid);
    },
  );

  within('deletes the object that is meant, and no other one of its name or version', async (api, space) => {
    const first = await api.apply(map(`${space}/a`), {}, signal);
    const { uid, resourceVersion } = first.metadata;
    const name = nameOf(first);
    const gone = (options: { uid?: string; resourceVersion?: string }): Promise<boolean> =>
      api.remove(name, { ...options, propagation: 'Background' }, signal);
    expect(await gone({ uid: '00000000-0000-4000-8000-ffffffffffff' })).toBe(false);
    await api.apply(map(`${space}/a`, '2'), {}, signal);
    expect(await gone({ uid, resourceVersion })).toBe(false);
    expect((await api.read(name, signal))?.metadata.uid).toBe(uid);
    expect(await gone({ uid })).toBe(true);
    expect(await api.read(name, signal)).toBeUndefined();
    expect(await gone({ uid })).toBe(false);
    const second = await api.apply(map(`${space}/a`), {}, signal);
    expect(second.metadata.uid).not.toBe(uid);
  });

  within('keeps what a finalizer holds until the finalizer is gone', async (api, space) => {
    const held = about(map(`${space}/a`), { finalizers: ['example.com/hold'] });
    const first = await api.apply(held, {}, signal);
    for (let time = 1; time <= 2; time += 1) {
      expect(await api.remove(nameOf(first), { uid: first.metadata.uid, propagation: 'Foreground' }, signal)).toBe(
        true,
      );
    }
    const leaving = await api.read(nameOf(first), signal);
    expect(leaving?.metadata.deletionTimestamp).toMatch(/^\d{4}-.*Z$/);
    expect(readinessOf(leaving!).state).toBe('terminating');
    await eventually(async () => (await api.read(nameOf(first), signal))?.metadata.finalizers).toEqual([
      'example.com/hold',
    ]);
    await api.apply(map(`${space}/a`), {}, signal);
    await gone(first, api);
    expect((await api.apply(map(`${space}/a`), {}, signal)).metadata.uid).not.toBe(first.metadata.uid);
  });

  within('deletes in the foreground what an object owns before the object itself', async (api, space) => {
    const owner = await api.apply(map(`${space}/owner`), {}, signal);
    const { uid, name } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }];
    const finalizers = ['example.com/hold'];
    const dependent = map(`${space}/owned`);
    const owned = await api.apply(about(dependent, { ownerReferences, finalizers }), {}, signal);
    await eventually(async () => {
      await api.remove(nameOf(owner), { uid, propagation: 'Foreground' }, signal);
      return (await api.read(nameOf(owned), signal))?.metadata.deletionTimestamp;
    }).toBeDefined();
    expect((await api.read(nameOf(owner), signal))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    await api.apply(about(dependent, { ownerReferences }), {}, signal);
    await gone(owned, api);
    await gone(owner, api);
  });

  within('deletes in the background what an object owned after it', async (api, space) => {
    const owner = await api.apply(map(`${space}/owner`), {}, signal);
    const { uid, name } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    const owned = await api.apply(about(map(`${space}/owned`), { ownerReferences }), {}, signal);
    await api.remove(nameOf(owner), { uid, propagation: 'Background' }, signal);
    expect(await api.read(nameOf(owner), signal)).toBeUndefined();
    await gone(owned, api);
  });
});
