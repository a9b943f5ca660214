import { describe, expect } from 'vitest';
import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import { isTransientRefusal } from '../../lib/parts/clusters/kubernetes/apply/transient-refusals.ts';
import { readinessOf } from '../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import { type KubernetesApi, type LiveObject, nameOf } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { clusterError, isImmutable } from '../../lib/parts/clusters/kubernetes/server/client/failure.ts';
import { conditionOf, textAt } from '../../lib/parts/clusters/kubernetes/server/object-path.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { eventually } from '../support/until.ts';
import {
  about,
  alike,
  container,
  customKind,
  deployment,
  gone,
  managers,
  promisingServers,
  refusal,
  spaced,
  timeless,
} from './api-server.ts';

// What an install can tell of an API server, of a real one and of the one in memory alike: whatever the product comes
// to rely on is added here first, so that the one in memory stays true.

const { signal } = new AbortController();

describe.each(promisingServers())('$name', (server) => {
  const { promise, connected } = server;
  const within = spaced(server);

  promise('tells its version, and which kinds it serves, in which version rather', async () => {
    const discovery = await (await connected()).discover(signal);
    expect(discovery.version).toMatch(/^v1\.\d+\.\d+/);
    expect(discovery.find('apps/v1', 'Deployment')).toMatchObject({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      verbs: expect.arrayContaining(['delete', 'get', 'list', 'patch']),
    });
    expect(discovery.find('v1', 'Namespace')?.namespaced).toBe(false);
    expect(discovery.preferred('storage.k8s.io', 'StorageClass')?.plural).toBe('storageclasses');
    expect(discovery.find('apps/v9', 'Deployment')).toBeUndefined();
    expect(discovery.preferred('example.org', 'Deployment')).toBeUndefined();
  });

  within('knows nothing of what is not there: an object, a namespace, a kind', async (api, space) => {
    const named = (apiVersion: string, kind: string, namespace: string) => ({ apiVersion, kind, name: 'a', namespace });
    expect(await api.read(named('v1', 'ConfigMap', space), signal)).toBeUndefined();
    expect(await api.read(named('v1', 'ConfigMap', 'nowhere'), signal)).toBeUndefined();
    expect(await api.read(named('example.org/v1', 'Nothing', space), signal)).toBeUndefined();
    for (const kind of ['ConfigMap', 'Secret']) {
      expect(await api.remove(named('v1', kind, space), { propagation: 'Background' }, signal)).toBe(false);
    }
    expect(await api.remove(named('example.org/v1', 'Nothing', space), { propagation: 'Background' }, signal)).toBe(
      false,
    );
    expect(await api.log({ namespace: space, name: 'a' }, 'app', { lines: 3 }, signal)).toEqual([]);
  });

  within('stores what is applied, and remembers which fields who stated', async (api, space) => {
    const labels = { app: 'a' };
    const object = stated('v1', 'ConfigMap', `${space}/a`, { data: { one: '1', two: '2' } });
    const made = await api.apply(about(object, { labels }), {}, signal);
    expect(await api.read(nameOf(object), signal)).toEqual(made);
    const { uid, resourceVersion, creationTimestamp, ...metadata } = made.metadata;
    expect([uid, resourceVersion, creationTimestamp]).not.toContain('');
    expect(timeless({ ...made, metadata: metadata as LiveObject['metadata'] })).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { one: '1', two: '2' },
      metadata: {
        name: 'a',
        namespace: space,
        labels,
        managedFields: [
          {
            manager: 'solpack',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:one': {}, 'f:two': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
          },
        ],
      },
    });
  });

  within('gives an object another version for each change, and for nothing else', async (api, space) => {
    const first = await api.apply(map(`${space}/a`), {}, signal);
    const again = await api.apply(map(`${space}/a`), {}, signal);
    const other = await api.apply(map(`${space}/a`, '2'), {}, signal);
    expect(again).toEqual(first);
    expect(other.metadata.uid).toBe(first.metadata.uid);
    expect(other.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
    expect([other.metadata.generation, other['data']]).toEqual([undefined, { value: '2' }]);
  });

  within('gives a Service an address', async (api, space) => {
    const ports = [{ port: 80 }];
    const service = await api.apply(stated('v1', 'Service', `${space}/web`, { spec: { ports } }), {}, signal);
    expect([readinessOf(service).state, textAt(service, 'spec', 'clusterIP')]).toEqual([
      'ready',
      expect.stringMatching(/^198\.19\.\d+\.\d+$/),
    ]);
  });

  within('counts the generations of what a controller works on', async (api, space) => {
    const generations: unknown[] = [];
    for (const [replicas, label] of [
      [0, 'a'],
      [0, 'b'],
      [2, 'b'],
    ] as const) {
      const web = about(deployment(`${space}/web`, 'web', replicas), { labels: { label } });
      const made = await api.apply(web, {}, signal);
      generations.push(made.metadata.generation);
    }
    expect(generations).toEqual([1, 1, 2]);
  });

  within('stores nothing in a dry run, and shows what would be stored', async (api, space) => {
    const created = await api.apply(map(`${space}/a`), { dryRun: true }, signal);
    expect(await api.read(nameOf(created), signal)).toBeUndefined();
    expect(created.metadata.resourceVersion).toBe('');
    const first = await api.apply(map(`${space}/a`), {}, signal);
    expect(alike(created)).toEqual(alike(first));
    expect(await api.apply(map(`${space}/a`), { dryRun: true }, signal)).toEqual(first);
    const changed = await api.apply(map(`${space}/a`, '2'), { dryRun: true }, signal);
    expect(await api.read(nameOf(first), signal)).toEqual(first);
    expect(changed.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(alike(await api.apply(map(`${space}/a`, '2'), {}, signal))).toEqual(alike(changed));
  });

  within('takes away what a manager states no longer, unless another one states it', async (api, space) => {
    const of = (data: object) => stated('v1', 'ConfigMap', `${space}/a`, { data });
    await api.apply(of({ own: '1', both: '1' }), {}, signal);
    await api.apply(of({ both: '1', theirs: '1' }), { manager: 'gitops' }, signal);
    const less = await api.apply(of({ other: '1' }), {}, signal);
    expect(less['data']).toEqual({ other: '1', both: '1', theirs: '1' });
    expect(managers(less)).toEqual({ gitops: ['both', 'theirs'], solpack: ['other'] });
    const none = await api.apply(stated('v1', 'ConfigMap', `${space}/a`), { manager: 'gitops' }, signal);
    expect([none['data'], managers(none)]).toEqual([{ other: '1' }, { solpack: ['other'] }]);
  });

  within('refuses to take a field from its manager, and takes it by force', async (api, space) => {
    const of = (data: object) => stated('v1', 'ConfigMap', `${space}/a`, { data });
    await api.apply(of({ a: 'theirs', b: 'same' }), { manager: 'gitops' }, signal);
    const dry = await refusal(api.apply(of({ a: 'ours', b: 'same' }), { dryRun: true }, signal));
    const real = await refusal(api.apply(of({ a: 'ours', b: 'same' }), {}, signal));
    for (const error of [dry, real]) {
      expect(error).toMatchObject({
        status: 409,
        reason: 'Conflict',
        verb: 'apply',
        subject: `ConfigMap ${space}/a`,
        message: 'Apply failed with 1 conflict: conflict with "gitops": .data.a',
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "gitops"', field: '.data.a' }],
      });
      expect(isTransientRefusal(error)).toBe(false);
    }
    const forced = await api.apply(of({ a: 'ours', b: 'same' }), { force: true }, signal);
    expect(forced['data']).toEqual({ a: 'ours', b: 'same' });
    expect(managers(forced)).toEqual({ gitops: ['b'], solpack: ['a', 'b'] });
  });

  within('lets somebody say which fields are whose, of the version that he has read', async (api, space) => {
    const of = (data: object) => stated('v1', 'ConfigMap', `${space}/a`, { data });
    const first = await api.apply(of({ a: '1', b: '1' }), { manager: 'one' }, signal);
    await api.apply(of({ c: '1' }), { manager: 'two' }, signal);
    const live = (await api.read(nameOf(first), signal))!;
    const heirs = (live.metadata.managedFields ?? []).map((entry) =>
      entry.manager === 'one' ? { ...entry, manager: 'heir' } : entry,
    );
    expect(await refusal(api.reassign(first, heirs, signal))).toMatchObject({ status: 409, reason: 'Conflict' });
    const reassigned = await api.reassign(live, heirs, signal);
    expect([reassigned['data'], managers(reassigned)]).toEqual([live['data'], { heir: ['a', 'b'], two: ['c'] }]);
    expect(reassigned.metadata.resourceVersion).not.toBe(live.metadata.resourceVersion);
    expect((await api.apply(of({ b: '1' }), { manager: 'heir' }, signal))['data']).toEqual({ b: '1', c: '1' });
    expect(await refusal(api.reassign(about(live, { name: 'absent' }), heirs, signal))).toMatchObject({
      status: 404,
      reason: 'NotFound',
      message: 'configmaps "absent" not found',
    });
  });

  within('lets one of two win who write what both have read', async (api, space) => {
    const lease = (holderIdentity: string, resourceVersion?: string): KubernetesObject => {
      const spec = { holderIdentity, leaseDurationSeconds: 10 };
      const read = resourceVersion === undefined ? {} : { resourceVersion };
      return about(stated('coordination.k8s.io/v1', 'Lease', `${space}/l`, { spec }), read);
    };
    const first = await api.apply(lease('one'), { manager: 'one' }, signal);
    expect(await refusal(api.apply(lease('two'), { manager: 'two' }, signal))).toMatchObject({ status: 409 });
    const { resourceVersion } = first.metadata;
    const second = await api.apply(lease('two', resourceVersion), { manager: 'two', force: true }, signal);
    const late = await refusal(api.apply(lease('one', resourceVersion), { manager: 'one', force: true }, signal));
    expect(late).toMatchObject({ status: 409, reason: 'Conflict', causes: [] });
    expect(late.message).toBe(
      'Operation cannot be fulfilled on leases.coordination.k8s.io "l": the object has been modified; please apply your changes to the latest version and try again',
    );
    expect(isTransientRefusal(late)).toBe(true);
    expect(await api.read(nameOf(first), signal)).toEqual(second);
  });

  within('lists by namespace, label and field', async (api, space) => {
    const key = `example.com/${space}`;
    for (const [name, labels] of Object.entries({ a: { [key]: 'x' }, b: { [key]: 'y' }, c: {} })) {
      await api.apply(about(map(`${space}/${name}`), { labels }), {}, signal);
    }
    const maps = (await api.discover(signal)).find('v1', 'ConfigMap')!;
    const names = async (filter: Parameters<KubernetesApi['list']>[1]): Promise<string[]> => {
      const listed = await api.list(maps, filter, signal);
      for (const object of listed) expect(object).toEqual(await api.read(nameOf(object), signal));
      return listed.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
    };
    expect(await names({ namespace: space })).toEqual(['a', 'b', 'c']);
    expect(await names({ labels: key })).toEqual(['a', 'b']);
    expect(await names({ labels: `${key}=y` })).toEqual(['b']);
    expect(await names({ namespace: space, fields: 'metadata.name=c' })).toEqual(['c']);
    expect(await names({ namespace: 'nowhere' })).toEqual([]);
    const bare = await api.list(maps, { labels: `${key}=y`, metadata: true }, signal);
    expect(bare.map((object) => Object.keys(object).sort())).toEqual([['apiVersion', 'kind', 'metadata']]);
    expect(bare[0]!.metadata.managedFields?.length).toBe(1);
  });

  within('furnishes a namespace, and takes all that is in it away with it', async (api, space) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name: space };
    const live = (await api.read(namespace, signal))!;
    expect(live.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': space });
    expect(readinessOf(live)).toEqual({ state: 'ready', message: 'is active' });
    for (const [kind, name] of [
      ['ConfigMap', 'kube-root-ca.crt'],
      ['ServiceAccount', 'default'],
    ] as const) {
      await eventually(() => api.read({ apiVersion: 'v1', kind, name, namespace: space }, signal)).toBeDefined();
    }
    const inside = await api.apply(map(`${space}/a`), {}, signal);
    const held = await api.apply(about(map(`${space}/held`), { finalizers: ['example.com/hold'] }), {}, signal);
    expect(await api.remove(namespace, { uid: live.metadata.uid, propagation: 'Foreground' }, signal)).toBe(true);
    const leaving = await api.read(namespace, signal);
    expect([readinessOf(leaving!).state, textAt(leaving, 'status', 'phase')]).toEqual(['terminating', 'Terminating']);
    const late = await refusal(api.apply(map(`${space}/late`), {}, signal));
    expect(late).toMatchObject({
      status: 403,
      reason: 'Forbidden',
      message: `configmaps "late" is forbidden: unable to create new content in namespace ${space} because it is being terminated`,
      causes: [{ reason: 'NamespaceTerminating' }],
    });
    await gone(inside, api);
    await eventually(async () =>
      conditionOf(await api.read(namespace, signal), 'NamespaceFinalizersRemaining'),
    ).toMatchObject({ status: 'True', message: expect.stringContaining('example.com/hold') });
    await api.apply(map(`${space}/held`), {}, signal);
    await gone(held, api);
    await gone(live, api);
    const second = await api.apply(stated('v1', 'Namespace', space), {}, signal);
    expect(second.metadata.uid).not.toBe(live.metadata.uid);
  });

  promise('refuses what is to be in a namespace that is not there', async () => {
    const api = await connected();
    for (const dryRun of [true, false]) {
      expect(await refusal(api.apply(map('nowhere/a'), { dryRun }, signal))).toMatchObject({
        status: 404,
        reason: 'NotFound',
        message: 'namespaces "nowhere" not found',
      });
    }
  });

  within('refuses what does not fit its schema, and says where', async (api, space) => {
    for (const [wrong, words] of [
      [{ ...map(`${space}/a`), dta: {} }, /: \.dta: field not declared in schema$/],
      [{ ...map(`${space}/a`), data: { value: 1 } }, /: \.data\.value: expected string, got /],
    ] as const) {
      const error = await refusal(api.apply(wrong, { dryRun: true }, signal));
      expect(error.message).toMatch(words);
      expect(clusterError(error, api.server)).toMatchObject({ code: 'object-refused' });
    }
  });

  within('refuses to change what never changes', async (api, space) => {
    const fixed = (value: string): KubernetesObject => map(`${space}/fixed`, value, { immutable: true });
    const template = (command: string): object => ({
      spec: { restartPolicy: 'Never', containers: [container(command)] },
    });
    const job = (command: string): KubernetesObject =>
      stated('batch/v1', 'Job', `${space}/run`, { spec: { suspend: true, template: template(command) } });
    for (const [one, other, field] of [
      [fixed('1'), fixed('2'), 'data'],
      [job('true'), job('false'), 'spec.template'],
      [deployment(`${space}/web`, 'a', 0), deployment(`${space}/web`, 'b', 0), 'spec.selector'],
    ] as const) {
      const before = await api.apply(one, {}, signal);
      for (const dryRun of [true, false]) {
        const error = await refusal(api.apply(other, { dryRun }, signal));
        expect([error.status, error.reason, isImmutable(error)]).toEqual([422, 'Invalid', true]);
        expect(error.causes.map((cause) => cause.field)).toContain(field);
      }
      expect((await api.read(nameOf(one), signal))?.['spec']).toEqual(before['spec']);
    }
  });

  within('serves a kind some time after it was defined, and keeps its objects as they are', async (api, space) => {
    const group = `${space}.example.com`;
    const crd = customKind(group);
    const widget = stated(`${group}/v1`, 'Widget', `${space}/w`, { spec: { size: 1 } });
    expect((await api.discover(signal)).find(`${group}/v1`, 'Widget')).toBeUndefined();
    await expect(api.apply(widget, {}, signal)).rejects.toMatchObject({ code: 'kind-unknown' });
    const made = await api.apply(crd, {}, signal);
    expect(['ready', 'waiting']).toContain(readinessOf(made).state);
    await eventually(async () => readinessOf((await api.read(nameOf(crd), signal))!).state).toBe('ready');
    await eventually(async () => (await api.discover(signal, true)).find(`${group}/v1`, 'Widget')).toMatchObject({
      group,
      version: 'v1',
      plural: 'widgets',
      namespaced: true,
    });
    const applied = await api.apply(widget, {}, signal);
    expect([applied.metadata.generation, applied['spec']]).toEqual([1, { size: 1 }]);
    const resource = (await api.discover(signal)).preferred(group, 'Widget')!;
    expect(await api.list(resource, { namespace: space }, signal)).toEqual([applied]);
    // What is established stays so, and is served on, whatever else is changed of it.
    expect(readinessOf(await api.apply(crd, {}, signal)).state).toBe('ready');
  });

  within('does nothing for somebody who has stopped', async (api, space) => {
    const stopped = AbortSignal.abort(new Error('stop'));
    const name = nameOf(map(`${space}/a`));
    await expect(api.apply(map(`${space}/a`), {}, stopped)).rejects.toThrow('stop');
    await expect(api.read(name, stopped)).rejects.toThrow('stop');
    expect(await api.read(name, signal)).toBeUndefined();
  });
});
