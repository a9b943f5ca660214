import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { once, utf8 } from '../../../../formats/bytes.ts';
import type { Reference } from '../../../../formats/oci/reference.ts';
import { fetchSource, namerAt, openSourceStore, type SourceConnections } from '../../../../lib/parts/sources/index.ts';
import { namedFrom } from '../../../../lib/parts/sources/named-by.ts';
import { testFlow } from '../../../support/flow.ts';

const repository = 'https://charts.example.com/stable/';

/**
 * Fetches the chart `web` of a repository whose index names `url`, and tells what else was asked, and by whom it was
 * named.
 */
async function ask(url: string, sentBy?: URL): Promise<{ asked: string[]; error: string }> {
  const asked: string[] = [];
  const note = (place: string, by: URL | undefined): never => {
    asked.push(`${place} by ${by?.host ?? 'the user'}`);
    throw new Error('asked');
  };
  const connections: SourceConnections = {
    connect: async ({ registry }: Reference, by) => note(registry, by),
    tags: async ({ registry }: Reference, by) => note(registry, by),
    download: async (place, by) => {
      if (place.href !== `${repository}index.yaml`) return note(place.href, by);
      return once(utf8(`entries:\n  web:\n  - version: 1.0.0\n    urls: [${JSON.stringify(url)}]\n`));
    },
    gitEnvironment: {},
    plainHttp: true,
  };
  const flow = testFlow();
  await using store = openSourceStore(join(tmpdir(), 'nowhere'), false, flow.host);
  const request = { address: `${repository}web`, version: undefined, content: 'chart', sentBy } as const;
  const context = { connections, store, flow };
  return fetchSource(request, undefined, context).then(
    () => ({ asked, error: '' }),
    (error) => ({ asked, error: String(error.message) }),
  );
}

describe('an index of charts', () => {
  test.each([
    'http://127.0.0.1:6443/web.tgz',
    'https://127.0.0.1:6443/web.tgz',
    'https://localhost/web.tgz',
    'https://[::ffff:127.0.0.1]/web.tgz',
    'https://2130706433/web.tgz',
    'https://0x7f.1/web.tgz',
    'https://0177.0.0.1/web.tgz',
    'https://0/web.tgz',
    'https://169.254.169.254/latest/meta-data/web.tgz',
    'oci://127.0.0.1:5000/web',
    'oci://localhost:5000/web:1.0.0',
    'OCI://LOCALHOST.:5000/web:1.0.0',
    'oci://[::1]:5000/web:1.0.0',
  ])('does not lead to %s', async (url) => {
    const { asked, error } = await ask(url);
    expect(asked).toEqual([]);
    expect(error).not.toBe('');
  });

  test.each([
    ['https://cdn.example.com/web.tgz', 'https://cdn.example.com/web.tgz'],
    ['https://charts.example.com:6443/web.tgz', 'https://charts.example.com:6443/web.tgz'],
    ['oci://registry.example.com/charts/web', 'registry.example.com'],
  ])('leads to %s as far as that is outside of this machine', async (url, place) => {
    expect((await ask(url)).asked).toEqual([`${place} by charts.example.com`]);
  });

  test('leads to its own server as a user does', async () => {
    expect((await ask('web-1.0.0.tgz')).asked).toEqual([`${repository}web-1.0.0.tgz by the user`]);
  });
});

test('what was fetched leads to no address of this machine, and of others as far as they are outside', async () => {
  const by = namerAt('oci://registry.example.com/charts/shop:1');
  expect(by?.host).toBe('registry.example.com');
  for (const address of [
    'https://127.0.0.1:1/x',
    'oci://localhost/x',
    'git@127.0.0.1:a/b',
    'ssh://git@[::1]/a/b?ref=x',
  ]) {
    expect(() => namedFrom(address, by), address).toThrow(/only the machine itself/);
  }
  expect(namedFrom('https://other.example.com/x', by)).toBe(by);
  expect(namedFrom('ssh://git@other.example.com/a/b?ref=x', by)).toBe(by);
  expect(namedFrom('https://registry.example.com/x', by)).toBeUndefined();
});

test('what this machine itself has named may lead to it', () => {
  const names = ['http://127.0.0.1:8080/web', 'oci://localhost:5000/web', 'charts/web'];
  expect(names.map(namerAt)).toEqual([undefined, undefined, undefined]);
  expect(namedFrom('http://127.0.0.1/x', undefined)).toBeUndefined();
});
