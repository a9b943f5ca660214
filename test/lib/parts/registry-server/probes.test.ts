import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningRegistry, startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { call, codeOf, image, layerPath, served, shareRegistry, web } from './shelf.ts';

shareRegistry();

let own: RunningRegistry;
let unready: string | undefined;

beforeAll(async () => {
  const contents = [served('one.iso', [['docker.io', 'library/web', ['1'], image]])];
  own = await startRegistry(contents, { host: '127.0.0.1', port: 0, unready: () => unready });
});
afterAll(() => own.close());

const at = (path: string, method = 'GET') => call(path, { at: own.url, method });

describe('probes', () => {
  test('the registry is ready unless something that was asked for is not served', async () => {
    expect((await at('/readyz')).status).toBe(200);
    unready = '/srv/two.iso is not served';
    const reply = await at('/readyz');
    expect([reply.status, reply.body.toString()]).toEqual([503, '/srv/two.iso is not served\n']);
    expect((await at('/healthz')).status).toBe(200);
    expect((await at('/healthz', 'HEAD')).body).toHaveLength(0);
    unready = undefined;
  });

  test.each(['/healthz', '/readyz', '/metrics'])('%s can only be read', async (path) => {
    const reply = await at(path, 'POST');
    expect([reply.status, codeOf(reply)]).toEqual([405, 'UNSUPPORTED']);
  });

  test('metrics count answers by method and status, and methods that nobody knows as one', async () => {
    await at(layerPath);
    await at(`${web}/manifests/absent`, 'HEAD');
    for (const method of ['SEARCH', 'PROPFIND']) await at('/v2/', method);
    const text = (await at('/metrics')).body.toString();
    expect(text).toContain('solpack_http_requests_total{method="GET",code="200"}');
    expect(text).toContain('solpack_http_requests_total{method="HEAD",code="404"} 1\n');
    expect(text).toContain('solpack_http_requests_total{method="other",code="405"} 2\n');
    expect(text).toContain('solpack_archives 1\n');
    expect(text).not.toContain('solpack_store');
  });
});

test('a mirror is reported which registry it was asked for', async () => {
  expect((await at(`${web}/manifests/1?ns=docker.io`)).headers['oci-namespace']).toBe('docker.io');
  expect((await at(`${web}/manifests/1`)).headers['oci-namespace']).toBeUndefined();
  const odd = await at(`${web}/manifests/1?ns=${encodeURIComponent('a\r\nb: c')}`);
  expect([odd.status, odd.headers['b']]).toEqual([404, undefined]);
});
