import { describe, expect, test } from 'vitest';
import type { LookupServer } from '../../../../../../../lib/kernel/content/model.ts';
import { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import { ApiError, type KubernetesApi } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { factsOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/cluster-facts.ts';
import type { LookupMemory } from '../../../../../../../lib/parts/clusters/kubernetes/server/lookup/answer.ts';
import { serveLookups } from '../../../../../../../lib/parts/clusters/kubernetes/server/lookup/index.ts';
import { disturbed } from '../../../../../../support/cluster/faults.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { map } from '../../support.ts';

const { signal } = new AbortController();

async function serving(
  api: KubernetesApi,
  memory: LookupMemory = { found: new Map() },
  more: readonly string[] = [],
): Promise<LookupServer> {
  const facts = factsOf(await api.discover(signal));
  return serveLookups({ ...facts, apiVersions: [...facts.apiVersions, ...more] }, memory, { api, flow: testFlow() });
}

/** What of an answer the tests look at. */
interface Answer {
  readonly [field: string]: unknown;
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const get = async (server: LookupServer, path: string, init?: RequestInit): Promise<[number, Answer]> => {
  const answer = await fetch(`${server.url}${path}`, init);
  return [answer.status, (await answer.json()) as Answer];
};

describe('at the server of lookups', () => {
  test('objects are found one by one, by namespace and everywhere', async () => {
    const api = memoryCluster().connect();
    await api.apply(map('default/a'), {}, signal);
    await using server = await serving(api);
    const [status, one] = await get(server, '/api/v1/namespaces/default/configmaps/a');
    expect([status, one['data']]).toEqual([200, { value: '1' }]);
    for (const path of ['/api/v1/namespaces/default/configmaps', '/api/v1/configmaps']) {
      const [, list] = await get(server, path);
      expect([list['kind'], list.items.some((item) => item.metadata.name === 'a')]).toEqual(['ConfigMapList', true]);
    }
    expect((await get(server, '/api/v1/namespaces/default'))[1]['kind']).toBe('Namespace');
    expect(server.refusal()).toBeUndefined();
  });

  test.each([
    '/api/v1/namespaces/default/configmaps/none',
    '/api/v1/configmaps/a',
    '/api/v1/namespaces/default/nothings/a',
    '/api/v1/namespaces/default/configmaps/a/status',
    '/api/v2/configmaps',
    '/apis/none/v1',
    '/openapi/v3',
    '/%ff',
    '',
  ])('%s is not found', async (path) => {
    const api = memoryCluster().connect();
    await api.apply(map('default/a'), {}, signal);
    await using server = await serving(api);
    const [status, { kind, code }] = await get(server, path);
    expect([status, kind, code]).toEqual([404, 'Status', 404]);
  });

  test('nothing can be changed, and nobody is answered who does not know the whole address', async () => {
    const cluster = memoryCluster();
    await using server = await serving(cluster.connect());
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await get(server, '/api/v1/namespaces/default/configmaps/a', { method }))[0]).toBe(405);
    }
    const { origin } = new URL(server.url);
    for (const path of ['/version', '/', `/${'a'.repeat(32)}/version`]) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    }
    expect((await get(server, '/version'))[1]['gitVersion']).toBe('v1.35.4');
  });

  test('what was looked up once stays as it was', async () => {
    const api = memoryCluster().connect();
    const memory: LookupMemory = { found: new Map() };
    const path = '/api/v1/namespaces/default/configmaps/a';
    await using first = await serving(api, memory);
    expect((await get(first, path))[0]).toBe(404);
    await api.apply(map('default/a'), {}, signal);
    await using second = await serving(api, memory);
    expect((await get(second, path))[0]).toBe(404);
    await using other = await serving(api);
    expect((await get(other, path))[0]).toBe(200);
  });

  test('kinds that are about to be defined are served, and have no objects', async () => {
    await using server = await serving(memoryCluster().connect(), undefined, [
      'example.com/v1',
      'example.com/v1/Widget',
    ]);
    const [, { resources }] = await get(server, '/apis/example.com/v1');
    expect(resources).toMatchObject([{ name: 'widgets', kind: 'Widget', namespaced: true }]);
    const [, { items }] = await get(server, '/apis');
    expect(items.map((group) => group.metadata.name)).toContain('example.com');
    expect((await get(server, '/apis/example.com/v1/namespaces/default/widgets/a'))[0]).toBe(404);
    expect((await get(server, '/apis/example.com/v1/widgets'))[1].items).toEqual([]);
  });

  test('what the cluster refuses is passed on, and told', async () => {
    const message =
      'configmaps is forbidden: User "u" cannot list resource "configmaps" in API group "" at the cluster scope';
    const refusal = new ApiError(
      { verb: 'list', subject: 'configmaps' },
      { status: 403, reason: 'Forbidden' },
      message,
    );
    const api = disturbed(memoryCluster().connect(), ({ verb }) => (verb === 'list' ? refusal : undefined));
    await using server = await serving(api);
    expect(await get(server, '/api/v1/configmaps')).toMatchObject([403, { reason: 'Forbidden', message }]);
    const told = server.refusal();
    expect(told?.subject).toBe('all configmaps');
    expect(told?.error).toBeInstanceOf(SolpackError);
    expect(told?.error).toMatchObject({
      code: 'cluster-forbidden',
      message: 'user "u" may not list configmaps at the cluster scope',
    });
  });
});
