import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../../../../../../lib/parts/clusters/kubernetes/observe/without-secrets.ts';
import {
  ApiError,
  type KubernetesApi,
  type LiveObject,
} from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import {
  requestedSecrets,
  secretNames,
  secretTexts,
} from '../../../../../../lib/parts/clusters/kubernetes/server/secret-texts.ts';
import { memoryCluster } from '../../../../../support/cluster/index.ts';
import { component, live, solution, stated } from '../support.ts';

const { signal } = new AbortController();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, data: Record<string, string>) => stated('v1', 'Secret', `shop/${name}`, { data });
const login = JSON.stringify({ auths: { 'r.example': { username: 'ada', password: 'pull-me-in' } } });

const pod = stated('v1', 'Pod', 'shop/web', {
  spec: {
    initContainers: [
      { name: 'one', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'as-variable', key: 'a' } } }] },
    ],
    containers: [{ name: 'app', envFrom: [{ secretRef: { name: 'as-variables' } }] }],
    volumes: [
      { name: 'a', secret: { secretName: 'as-volume' } },
      { name: 'b', projected: { sources: [{ secret: { name: 'as-part' } }, { configMap: { name: 'no-secret' } }] } },
    ],
    imagePullSecrets: [{ name: 'as-login' }],
  },
  status: {
    containerStatuses: [
      { name: 'app', lastState: { terminated: { exitCode: 1, message: 'bad hunter22' } }, state: { waiting: {} } },
    ],
  },
});
const event = (reason: string, name: string) =>
  stated('v1', 'Event', `shop/${name}`, {
    reason,
    message: 'Readiness probe failed: hunter22 is not a user',
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
  });

/** A cluster with the Pod and its Secret, whose container has printed `printed`. */
async function cluster(printed: readonly string[]): Promise<KubernetesApi> {
  const api = memoryCluster().connect();
  const objects = [
    stated('v1', 'Namespace', 'shop'),
    secret('as-variables', { password: base64('hunter22') }),
    secret('as-login', { '.dockerconfigjson': base64(login) }),
  ];
  for (const object of objects) await api.apply(object, {}, signal);
  const others = new Map(
    [event('Unhealthy', 'a'), event('Failed', 'b'), pod].map((one) => [one.metadata.name, live(one)]),
  );
  return {
    ...api,
    read: async (name, own) => (name.kind === 'Pod' ? others.get(name.name) : api.read(name, own)),
    list: async (resource, filter, own) =>
      resource.kind === 'Event' ? ['a', 'b'].map((name) => others.get(name)!) : api.list(resource, filter, own),
    log: async (_place, _container, { blank = (line) => line }) => printed.map(blank),
  };
}

const place = { namespace: 'shop', name: 'web' };
const logOf = async (printed: readonly string[], known: readonly string[] = []): Promise<readonly string[]> =>
  withoutSecrets(await cluster(printed), known).log(place, 'app', { lines: 10 }, signal);

describe('the log of a container', () => {
  test('shows no Secret that its Pod has, plain or in Base64, alone or inside of something', async () => {
    const lines = ['user=hunter22;', base64('hunter22'), base64('Basic ada:hunter22!'), 'listening on 8080'];
    const blanked = await logOf(lines);
    expect(blanked.join('\n')).not.toMatch(/hunter22|aHVudGVyMjI|aHVudGVyM|1bnRlcj|odW50ZX/);
    expect([blanked[0], blanked[1], blanked[3]]).toEqual(['user=***;', '***', 'listening on 8080']);
  });

  test('shows no password of a login for images', async () => {
    expect(await logOf(['ada logs in by pull-me-in'])).toEqual(['ada logs in by ***']);
  });

  test('shows no Secret of the request, also where Secrets of the cluster may not be read', async () => {
    const api = await cluster(['it is swordfish or hunter22']);
    const forbidden = new ApiError({ verb: 'read', subject: '' }, { status: 403, reason: 'Forbidden' }, 'no');
    const blind: KubernetesApi = { ...api, read: () => Promise.reject(forbidden) };
    const lines = await withoutSecrets(blind, ['swordfish']).log(place, 'app', { lines: 10 }, signal);
    expect(lines).toEqual(['it is *** or hunter22']);
  });

  test('keeps what is shorter than four characters, which stands in innocent words', async () => {
    expect(await logOf(['a yes is a yes'], ['yes'])).toEqual(['a yes is a yes']);
  });
});

test('what a container said when it ended, and what a probe printed, shows no Secret', async () => {
  const api = withoutSecrets(await cluster([]), []);
  const found = await api.read({ apiVersion: 'v1', kind: 'Pod', ...place }, signal);
  expect(found?.['status']).toEqual({
    containerStatuses: [
      { name: 'app', lastState: { terminated: { exitCode: 1, message: 'bad ***' } }, state: { waiting: {} } },
    ],
  });
  const events = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true, verbs: [] };
  const messages = (await api.list(events, {}, signal)).map((one: LiveObject) => one['message']);
  // An image may be called like a user; only what programs print is blanked.
  expect(messages).toEqual([
    'Readiness probe failed: *** is not a user',
    'Readiness probe failed: hunter22 is not a user',
  ]);
});

test('Secrets themselves are read and listed as they are', async () => {
  const api = withoutSecrets(await cluster([]), ['hunter22']);
  const name = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'as-variables' };
  expect((await api.read(name, signal))?.['data']).toEqual({ password: base64('hunter22') });
});

test('a Pod has the Secrets of its variables, volumes and logins', () => {
  expect(secretNames(pod)).toEqual(['as-variable', 'as-variables', 'as-volume', 'as-part', 'as-login']);
  expect(secretNames(stated('v1', 'Pod', 'shop/odd', { spec: { containers: [1, null], volumes: 'none' } }))).toEqual(
    [],
  );
});

test('the values of a Secret are those that are stored and those that a program sees', () => {
  const both = { data: { a: base64('one'), b: '/w==' }, stringData: { c: 'two' } };
  const texts = secretTexts(stated('v1', 'Secret', 'shop/a', both));
  expect(texts).toEqual([base64('one'), '/w==', 'two', 'one']);
  expect(secretTexts(stated('v1', 'Secret', 'shop/odd', { data: 'none', stringData: [1] }))).toEqual([]);
  expect(secretTexts(stated('v1', 'ConfigMap', 'shop/a', both))).toEqual([]);
  const request = {
    configuration: 'here',
    solutions: [solution('shop', component('all', secret('a', { a: base64('one') })))],
  };
  expect(requestedSecrets(request)).toEqual([base64('one'), 'one']);
});
