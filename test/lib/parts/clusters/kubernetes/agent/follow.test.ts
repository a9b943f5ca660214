import { describe, expect, test } from 'vitest';
import type { FollowedDocument } from '../../../../../../lib/parts/clusters/agent-cluster.ts';
import { documentOf, followSource } from '../../../../../../lib/parts/clusters/kubernetes/agent/follow.ts';
import type {
  LiveObject,
  ObjectChange,
  WatchingApi,
} from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { memoryCluster } from '../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../support/flow.ts';
import { stated } from '../support.ts';

const followed = { namespace: 'default', name: 'edge' };
const told = { conditions: [{ type: 'Ready', status: 'True' }], solutions: [{ name: 'shop', version: '1.0.0' }] };
const { signal } = new AbortController();

describe('what is followed', () => {
  test('has what was told of it last, also where it changes before anybody has looked', async () => {
    const cluster = memoryCluster();
    const api = cluster.connect();
    const write = (place: string, data: object) =>
      api.apply(stated('v1', 'ConfigMap', place, { data }), { manager: 'test', force: true }, signal);
    const before = await write('default/edge', { 'solutions.yaml': 'one' });
    await write('default/edge-status', { 'status.json': JSON.stringify(told) });
    const end = new AbortController();
    const documents: (FollowedDocument | undefined)[] = [];
    const changes: ObjectChange[] = [
      { isGone: false, object: { ...before, data: { 'solutions.yaml': 'two' } } },
      { isGone: true, object: before },
      { isGone: false, object: { ...before, metadata: { ...before.metadata, uid: 'another' } } },
    ];
    const watching: WatchingApi = {
      ...api,
      watch: async (_resource, _filter, on) => {
        await on.begin();
        for (const one of changes) on.change(one);
        end.abort(new Error('enough was seen'));
      },
    };
    const source = { kind: 'config-map', ...followed } as const;
    const following = followSource(source, watching, { ...testFlow(), signal: end.signal }, (document) => {
      documents.push(document);
    });
    await expect(following).rejects.toThrow('enough was seen');
    expect(documents.map((one) => one && { text: `${one.bytes}`, status: one.status })).toEqual([
      { text: 'one', status: told },
      { text: 'two', status: told },
      undefined,
      { text: 'one', status: undefined },
    ]);
  });

  test.each([
    ['its only key has a number', { 'solutions.yaml': 1 }, ''],
    ['its key has a mapping, beside others', { 'solutions.yaml': {}, other: 'x' }, ''],
    ['it is a text', 'apiVersion', ''],
    ['it is a list of a text', ['two'], 'two'],
    ['it is null', null, ''],
    ['its only key has another name', { anything: 'two' }, 'two'],
    ['it lacks the key among others', { one: 'a', other: 'b' }, ''],
  ])('is a text or nothing, whatever the data of the ConfigMap is: %s', (_, data, text) => {
    const live = stated('v1', 'ConfigMap', 'default/edge', { data }) as LiveObject;
    const { bytes } = documentOf({ kind: 'config-map', ...followed }, live, undefined);
    expect(`${bytes}`).toBe(text);
  });
});
