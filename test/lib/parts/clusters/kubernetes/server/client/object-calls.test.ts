import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/documents.ts';
import { resourcePath } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/resource-path.ts';
import { blankValues } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/secret-values.ts';
import { textsOf } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/warnings.ts';
import {
  apiServer,
  connected,
  kubeconfig,
  send,
  status,
  timings,
  withDiscovery,
} from '../../../../../../support/apiserver.ts';
import { scratch } from '../../../../../../support/judges.ts';

const folder = scratch('objects');
const signal = new AbortController().signal;
const map: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } };
const maps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, verbs: [] };
const item = (name: string): object => ({ metadata: { name, uid: name, resourceVersion: '1' } });

describe('server-side apply', () => {
  test('sends the object as it is, and says who and how', async () => {
    const { url, seen } = await apiServer(withDiscovery(() => map));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await api.apply(map, {}, signal);
    await api.apply(map, { dryRun: true, force: true }, signal);
    const [plain, forced] = seen.slice(2);
    expect(plain).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/b/configmaps/a',
      body: JSON.stringify(map),
    });
    expect(plain?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(Object.fromEntries(plain!.query)).toEqual({ fieldManager: 'solpack', fieldValidation: 'Ignore' });
    expect(Object.fromEntries(forced!.query)).toMatchObject({ force: 'true', dryRun: 'All' });
  });

  test('asks for metadata alone where no more is wanted, and says of which type that is', async () => {
    const partial = { ...map, apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
    const { url, seen } = await apiServer(withDiscovery(() => partial));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.apply(map, { metadata: true }, signal)).toMatchObject(map);
    expect(seen[2]?.headers.accept).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  });

  test('says anew whose the fields are of an object that is as it was read, and nothing else', async () => {
    const { url, seen } = await apiServer(withDiscovery(() => map));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    const live = { ...map, metadata: { ...map.metadata, uid: 'u', resourceVersion: '7' } };
    const managedFields = [{ manager: 'solpack-here', operation: 'Apply' }];
    await api.reassign(live, managedFields, signal);
    expect(seen[2]).toMatchObject({ method: 'PATCH', path: '/api/v1/namespaces/b/configmaps/a' });
    expect(seen[2]?.headers['content-type']).toBe('application/json-patch+json');
    expect(JSON.parse(seen[2]!.body)).toEqual([
      { op: 'replace', path: '/metadata/managedFields', value: managedFields },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ]);
    await expect(api.reassign({ ...live, kind: 'Thing' }, managedFields, signal)).rejects.toMatchObject({
      code: 'kind-unknown',
    });
  });

  test('refuses a kind that is not served, and names the version that is', async () => {
    const { url } = await apiServer(withDiscovery(() => map));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.apply({ ...map, apiVersion: 'v2' }, {}, signal)).rejects.toMatchObject({
      code: 'kind-unknown',
      subject: 'ConfigMap b/a',
      hint: expect.stringContaining('it serves v1'),
    });
    await expect(api.apply({ ...map, kind: 'Thing' }, {}, signal)).rejects.toMatchObject({
      hint: expect.stringContaining('CustomResourceDefinition'),
    });
  });

  test('tells warnings once for each object', async () => {
    const warning = ['299 - "unknown field \\"spec.x\\""', '199 - "misc"', '299 agent "größe, or so"'];
    const { url } = await apiServer(
      withDiscovery((_, response) =>
        send(response, 200, map, { warning: warning.map((one) => Buffer.from(one).toString('latin1')) }),
      ),
    );
    const { api, notices } = await connected(kubeconfig(folder, { server: url }));
    await api.apply(map, { dryRun: true }, signal);
    await api.apply(map, {}, signal);
    expect(notices()).toEqual(['ConfigMap b/a: unknown field "spec.x"', 'ConfigMap b/a: größe, or so']);
  });

  test('repeats nothing of a Secret that a server refuses', async () => {
    const secret = { ...map, kind: 'Secret', data: { pin: 'Z2VoZWltbmlz' }, stringData: { a: 'hidden\nvalue' } };
    const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "abc": no', field: 'data.pin' }];
    const words = 'denied: geheimnis, Z2VoZWltbmlz; got valueUnstructured{Value:12}, Invalid value: "x y": no';
    const { url } = await apiServer(
      withDiscovery((_, response) => send(response, 422, status(422, 'Invalid', words, { causes }))),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.apply(secret, {}, signal)).rejects.toMatchObject({
      message: 'denied: ***, ***; got valueUnstructured{Value:***}, Invalid value: ***: no',
      causes: [{ message: 'Invalid value: ***: no', field: 'data.pin' }],
    });
    expect(blankValues(map)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['an answer that is no object', { kind: 'ConfigMap' }],
    ['an answer that is a list', []],
  ])('is not content with %s', async (_, answer) => {
    const { url } = await apiServer(withDiscovery(() => answer));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.apply(map, {}, signal)).rejects.toThrow('the answer holds no object');
  });
});

describe('a deletion', () => {
  const name = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'b' };
  const options = { uid: 'u', propagation: 'Foreground' } as const;

  test.each([
    [200, true],
    [202, true],
    [404, false],
    [409, false],
  ])('answered with status %i: the object was there: %s', async (code, there) => {
    const { url, seen } = await apiServer(withDiscovery((_, response) => send(response, code, {})));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.remove(name, options, signal)).toBe(there);
    expect(JSON.parse(seen.at(-1)!.body)).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
    });
    expect(await api.remove({ ...name, kind: 'Thing' }, options, signal)).toBe(false);
  });

  test('without a uid meets a conflict only where there is one', async () => {
    const { url } = await apiServer(withDiscovery((_, response) => send(response, 409, status(409, 'Conflict', 'no'))));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.remove(name, { propagation: 'Background' }, signal)).rejects.toMatchObject({ status: 409 });
  });
});

describe('a list', () => {
  const listing = (items: object[], token?: string): object => ({
    kind: 'ConfigMapList',
    metadata: { continue: token },
    items,
  });

  test('is read page by page, and its objects say what they are', async () => {
    const { url, seen } = await apiServer(({ query }) =>
      query.get('continue') ? listing([item('b')]) : listing([item('a')], 'more'),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    const found = await api.list(maps, { namespace: 'x', labels: 'a=b', fields: 'c=d' }, signal);
    expect(found.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['v1', 'ConfigMap', 'a'],
      ['v1', 'ConfigMap', 'b'],
    ]);
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/x/configmaps',
      '/api/v1/namespaces/x/configmaps',
    ]);
    expect(seen.map(({ query }) => Object.fromEntries(query))).toEqual([
      { limit: '500', labelSelector: 'a=b', fieldSelector: 'c=d' },
      { limit: '500', labelSelector: 'a=b', fieldSelector: 'c=d', continue: 'more' },
    ]);
  });

  test.each([
    ['that sends pages', 2, ['3', '1']],
    ['that sends more than it was asked for', 9, ['3']],
  ])('of at most three asks for no more, of a server %s', async (_, atOnce, limits) => {
    const { url, seen } = await apiServer(() =>
      listing(
        Array.from({ length: atOnce }, (__, at) => item(`${at}`)),
        'more',
      ),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.list(maps, { atMost: 3 }, signal)).toHaveLength(3);
    expect(seen.map(({ query }) => query.get('limit'))).toEqual(limits);
  });

  test('that expires in between is begun again', async () => {
    const { url } = await apiServer(({ query, count }, response) => {
      if (!query.get('continue')) return listing([item(`a${count}`)], 'more');
      return count < 4 ? send(response, 410, status(410, 'Expired', 'too old')) : listing([item('b')]);
    });
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect((await api.list(maps, {}, signal)).map(({ metadata }) => metadata.name)).toEqual(['a3', 'b']);
  });

  test('that always expires is given up', async () => {
    const { url, seen } = await apiServer(({ query }, response) =>
      query.get('continue') ? send(response, 410, status(410, 'Expired', 'too old')) : listing([], 'more'),
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.list(maps, {}, signal)).rejects.toMatchObject({ status: 410 });
    expect(seen).toHaveLength(12);
  });

  test('of large objects is read in smaller pages', async () => {
    const large = 'x'.repeat(1024 * 1024);
    const { url, seen } = await apiServer(({ query }) =>
      listing(
        Array.from({ length: Math.min(40, Number(query.get('limit'))) }, (_, at) => ({
          ...item(`${at}`),
          data: { large },
        })),
      ),
    );
    // Nothing moves while the server of this process writes so much: on a busy machine for longer than a test waits
    // elsewhere.
    const patient = { later: { ...timings.later, idle: 60_000 } };
    const { api } = await connected(kubeconfig(folder, { server: url }), patient);
    expect(await api.list(maps, {}, signal)).toHaveLength(5);
    expect(seen.map(({ query }) => query.get('limit'))).toEqual(['500', '50', '5']);
  });

  test.each<[string, unknown]>([
    ['an item that is none', { items: [5] }],
    ['an item without a name', { items: [{ metadata: {} }] }],
    ['something else', 'hello'],
  ])('with %s is refused', async (_, answer) => {
    const { url } = await apiServer(() => answer);
    const { api } = await connected(kubeconfig(folder, { server: url }));
    await expect(api.list(maps, {}, signal)).rejects.toThrow('no list of objects');
  });
});

describe('a log', () => {
  test('is the last lines, without what moves a terminal', async () => {
    const { url, seen } = await apiServer(
      (_, response) => response.end('one\n\u001b[31mtwo\u001b[0m\r\nthree\u0007\n') && undefined,
    );
    const { api } = await connected(kubeconfig(folder, { server: url }));
    const lines = await api.log({ namespace: 'b', name: 'p' }, 'c', { previous: true, lines: 2 }, signal);
    expect(lines).toEqual(['two', 'three']);
    expect(seen[0]?.path).toBe('/api/v1/namespaces/b/pods/p/log');
    expect(Object.fromEntries(seen[0]!.query)).toMatchObject({ container: 'c', tailLines: '2', previous: 'true' });
  });

  test('is blanked before long lines are cut, so that no half of a secret is left', async () => {
    const { url } = await apiServer((_, response) => response.end(`${'x'.repeat(4090)}hunter22\n`) && undefined);
    const { api } = await connected(kubeconfig(folder, { server: url }));
    const blank = (line: string): string => line.replace('hunter22', '***');
    const [line] = await api.log({ namespace: 'b', name: 'p' }, 'c', { lines: 2, blank }, signal);
    expect(line).toBe(`${'x'.repeat(4090)}***`);
  });

  test.each([400, 403, 404, 500, 503])('that is answered with status %i is empty', async (code) => {
    const { url, seen } = await apiServer((_, response) => send(response, code, status(code, '', 'no')));
    const { api } = await connected(kubeconfig(folder, { server: url }));
    expect(await api.log({ namespace: 'b', name: 'p' }, 'c', { lines: 2 }, signal)).toEqual([]);
    expect(seen).toHaveLength(1);
  });
});

describe('names', () => {
  test('are encoded', () => {
    expect(resourcePath(maps, { namespace: 'a/b', name: 'c?d#e%' })).toBe(
      '/api/v1/namespaces/a%2Fb/configmaps/c%3Fd%23e%25',
    );
    expect(resourcePath({ ...maps, group: 'x.io', namespaced: false }, { namespace: 'a', name: 'system:x' })).toBe(
      '/apis/x.io/v1/configmaps/system%3Ax',
    );
  });

  test.each(['', '.', '..', '\ud800'])('that would be another path are refused: %j', (name) => {
    expect(() => resourcePath(maps, { namespace: 'a', name })).toThrow('the API accepts no such name');
    expect(() => resourcePath(maps, { namespace: name, name: 'a' })).toThrow('the API accepts no such name');
  });
});

test.each<[string, string[]]>([
  ['', []],
  ['299 - "a"', ['a']],
  ['299 - "a, 299 - \\"b\\"", 299 - "c"', ['a, 299 - "b"', 'c']],
  ['299 - "a\u001b[31m\\\\"', ['a [31m\\']],
  ['110 - "stale", 299 - ""', []],
  ['299 - "open', []],
])('warnings are read from their header: %j', (header, texts) => {
  expect(textsOf(header)).toEqual(texts);
});
