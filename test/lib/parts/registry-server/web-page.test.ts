import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningRegistry, startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { call, codeOf, image, registry, served, shareRegistry } from './shelf.ts';

shareRegistry();

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const asked: string[] = [];
let own: RunningRegistry;

beforeAll(async () => {
  const contents = [served('one.iso', [['docker.io', 'library/web', ['1'], image]])];
  const page = {
    policy: "default-src 'none'",
    make: async (origin: string) => {
      asked.push(origin);
      return Buffer.from('<!doctype html>');
    },
  };
  own = await startRegistry(contents, { host: '127.0.0.1', port: 0, page });
});
afterAll(() => own.close());

const at = (headers: Record<string, string>, path = '/', method = 'GET') =>
  call(path, { at: own.url, method, headers });

describe('the page for browsers', () => {
  test.each([browser, 'text/html', 'TEXT/HTML ; q=0.5', 'application/json;q=0.1, text/html'])(
    'is what a client gets that accepts %s',
    async (accept) => {
      const { status, headers, body } = await at({ accept });
      expect([status, body.toString()]).toEqual([200, '<!doctype html>']);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        vary: 'accept',
      });
    },
  );

  test.each([
    ...['*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/html;q=0', 'text/html;q=x', 'text/*', ''],
    'application/vnd.oci.image.manifest.v1+json',
  ])('is not what a client gets that accepts %j', async (accept) => {
    const reply = await at({ accept });
    expect([reply.status, codeOf(reply)]).toEqual([404, 'UNSUPPORTED']);
  });

  test('has a head without a body for HEAD, and nothing for other methods, other paths and a registry without a page', async () => {
    const head = await at({ accept: browser }, '/', 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '15', 0]);
    expect((await at({ accept: browser }, '/', 'POST')).status).toBe(404);
    expect((await at({ accept: browser }, '/index.html')).status).toBe(404);
    expect((await at({ accept: browser }, '/v2/')).body.toString()).toBe('{}');
    expect((await call('/', { at: registry.url, headers: { accept: browser } })).status).toBe(404);
  });

  test('is made for the address that was asked, and for that of the listener where none was', async () => {
    const hosts = ['registry.example.com', 'node-1:5000', '[2001:db8::1]:5000', '10.0.0.1:99999'];
    const hostile = ['"><script>', 'a b', `${'a'.repeat(300)}.example`, 'user@host', 'host/path', '..:x'];
    asked.length = 0;
    for (const host of [...hosts, ...hostile]) await at({ accept: browser, host });
    expect(asked.slice(0, 3)).toEqual([
      'http://registry.example.com',
      'http://node-1:5000',
      'http://[2001:db8::1]:5000',
    ]);
    expect(asked.slice(3)).toEqual(['10.0.0.1:99999', ...hostile].map(() => own.url));
  });
});
