import { describe, expect, test } from 'vitest';
import type { Discovery } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import {
  apiGroupsOf,
  resourcesOf,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/client/discovery-documents.ts';
import { factsOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/cluster-facts.ts';
import { apiServer, connected, type Handler, kubeconfig, send, status } from '../../../../../../support/apiserver.ts';
import { scratch } from '../../../../../../support/judges.ts';

const folder = scratch('discovery');
const signal = new AbortController().signal;
const verbs = ['get', 'list', 'patch'];

const aggregated = (...items: object[]): object => ({ kind: 'APIGroupDiscoveryList', items });
const version = (name: string, kinds: readonly string[], freshness = 'Current'): object => ({
  version: name,
  freshness,
  resources: kinds.map((kind) => ({
    resource: `${kind.toLowerCase()}s`,
    responseKind: { group: '', version: '', kind },
    scope: kind === 'Node' ? 'Cluster' : 'Namespaced',
    verbs,
    subresources: [{ subresource: 'status', responseKind: { kind }, verbs }],
  })),
});
const current: Record<string, object> = {
  '/api': aggregated({ metadata: {}, versions: [version('v1', ['Pod', 'Node'])] }),
  '/apis': aggregated(
    { metadata: { name: 'autoscaling' }, versions: [version('v2', ['Scaler']), version('v1', ['Scaler', 'Old'])] },
    { metadata: { name: 'down.example.com' }, versions: [version('v1', [], 'Stale')] },
  ),
};
const list = (resources: readonly object[]): object => ({ kind: 'APIResourceList', resources });
const old: Record<string, object> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': list([
    { name: 'pods', kind: 'Pod', namespaced: true, verbs },
    { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
    { name: 'nodes', kind: 'Node', namespaced: false, verbs },
  ]),
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'autoscaling',
        versions: [{ version: 'v1' }, { version: 'v2' }],
        preferredVersion: { version: 'v2' },
      },
      { name: 'down.example.com', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
    ],
  },
  '/apis/autoscaling/v1': list([
    { name: 'scalers', kind: 'Scaler', namespaced: true, verbs },
    { name: 'olds', kind: 'Old', namespaced: true, verbs },
  ]),
  '/apis/autoscaling/v2': list([{ name: 'scalers', kind: 'Scaler', namespaced: true, verbs }]),
};
const serving =
  (documents: Record<string, object>): Handler =>
  ({ path }, response) => {
    if (!documents[path]) response.writeHead(503).end('service unavailable');
    return documents[path];
  };

async function discovered(documents: Record<string, object>): Promise<{ found: Discovery; notices: string[] }> {
  const { url } = await apiServer(serving(documents));
  const { api, notices } = await connected(kubeconfig(folder, { server: url }));
  return { found: await api.discover(signal), notices: notices() };
}

describe.each([
  ['one that aggregates discovery', current],
  ['an older one', old],
])('of a server: %s', (_, documents) => {
  test('every kind is found in its versions, and in the one that the server prefers', async () => {
    const { found } = await discovered(documents);
    expect(found.version).toBe('v1.35.4');
    expect(found.find('v1', 'Node')).toEqual({
      group: '',
      version: 'v1',
      kind: 'Node',
      plural: 'nodes',
      namespaced: false,
      verbs,
    });
    expect(found.find('autoscaling/v1', 'Scaler')?.version).toBe('v1');
    expect(found.find('autoscaling/v3', 'Scaler')).toBeUndefined();
    expect(found.preferred('autoscaling', 'Scaler')?.version).toBe('v2');
    expect(found.preferred('autoscaling', 'Old')?.version).toBe('v1');
    expect(found.preferred('', 'Scaler')).toBeUndefined();
    expect(found.resources.map(({ kind }) => kind).sort()).toEqual(['Node', 'Old', 'Pod', 'Scaler', 'Scaler']);
  });

  test('a group whose server is down is reported, and hides no other', async () => {
    const { found, notices } = await discovered(documents);
    expect(found.resources.filter(({ group }) => group === 'down.example.com')).toEqual([]);
    expect(notices).toEqual(['down.example.com/v1: this API is registered, but its server does not answer']);
  });

  test('facts for rendering are made of it', async () => {
    const facts = factsOf((await discovered(documents)).found);
    expect(facts.version).toBe('v1.35.4');
    expect(facts.apiVersions).toEqual([
      'autoscaling/v1',
      'autoscaling/v1/Old',
      'autoscaling/v1/Scaler',
      'autoscaling/v2',
      'autoscaling/v2/Scaler',
      'v1',
      'v1/Node',
      'v1/Pod',
    ]);
    expect(facts.namespaced('', 'Node')).toBe(false);
    expect(facts.namespaced('autoscaling', 'Scaler')).toBe(true);
    expect(facts.namespaced('example.com', 'Thing')).toBeUndefined();
  });
});

test('it is read once, and again for a kind that may be new, without moving what has not changed', async () => {
  let apis = current['/apis'];
  const { url, seen } = await apiServer(({ path, headers }, response) => {
    if (path === '/api' || path === '/apis') {
      const etag = `"${JSON.stringify(path === '/api' ? 0 : apis).length}"`;
      if (headers['if-none-match'] === etag) return response.writeHead(304).end() && undefined;
      return send(response, 200, path === '/api' ? current['/api'] : apis, { etag });
    }
    return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  });
  const { api } = await connected(kubeconfig(folder, { server: url }));
  await api.discover(signal);
  await api.discover(signal);
  expect(seen).toHaveLength(2);
  apis = aggregated({ metadata: { name: 'example.com' }, versions: [version('v1', ['Thing'])] });
  const name = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'a', namespace: 'b' };
  expect((await api.read(name, signal))?.kind).toBe('Thing');
  expect(seen.map(({ path }) => path)).toEqual([
    '/api',
    '/apis',
    '/api',
    '/apis',
    '/apis/example.com/v1/namespaces/b/things/a',
  ]);
  expect(seen.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([false, false, true, true, false]);
  expect(await api.read({ ...name, kind: 'Other' }, signal)).toBeUndefined();
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a list', []],
  ['a Status', status(200, '', '')],
  ['no items', { kind: 'APIGroupDiscoveryList' }],
  ['items that are none', { kind: 'APIGroupDiscoveryList', items: [5] }],
  ['a version without a name', aggregated({ versions: [{}] })],
  ['resources that are none', aggregated({ versions: [{ version: 'v1', resources: [{ scope: 1 }] }] })],
  ['groups that are none', { kind: 'APIGroupList', groups: [{ name: 1 }] }],
  ['versions that are none', { kind: 'APIVersions', versions: [1] }],
])('what is no discovery is not taken for it: %s', (_, value) => {
  expect(apiGroupsOf(value)).toBeUndefined();
  expect(resourcesOf(value, 'g', 'v1')).toBeUndefined();
});

test('a server that answers something else is reported', async () => {
  const { url } = await apiServer((_, response) => response.end('<html>hello</html>') && undefined);
  const { api } = await connected(kubeconfig(folder, { server: url }));
  await expect(api.discover(signal)).rejects.toMatchObject({ message: expect.stringContaining('not JSON') });
});
