import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';

import { call, codeOf, image, layerPath, registry, shareRegistry, web } from './shelf.ts';

shareRegistry();

describe('what is refused', () => {
  const missing = sha256('missing');
  test.each([
    ['/v2/absent/web/manifests/1.0', 404, 'NAME_UNKNOWN'],
    ['/v2/team/app/manifests/x', 404, 'NAME_UNKNOWN'],
    ['/v2/library/web/manifests/1.0?ns=quay.io', 404, 'NAME_UNKNOWN'],
    ['/v2/quay.io/library/web/manifests/1.0', 404, 'NAME_UNKNOWN'],
    ['/v2/quay.io/team/app/manifests/y', 404, 'MANIFEST_UNKNOWN'],
    [`/v2/ghcr.io/team/app/blobs/${image.layer.digest}`, 404, 'BLOB_UNKNOWN'],
    [`${web}/manifests/absent`, 404, 'MANIFEST_UNKNOWN'],
    [`${web}/manifests/${missing}`, 404, 'MANIFEST_UNKNOWN'],
    [`${web}/manifests/${image.layer.digest}`, 404, 'MANIFEST_UNKNOWN'],
    [`${web}/manifests/sha256:totallywrong`, 400, 'DIGEST_INVALID'],
    [`${web}/manifests/${image.root.digest.toUpperCase()}`, 400, 'DIGEST_INVALID'],
    [`${web}/blobs/${missing}`, 404, 'BLOB_UNKNOWN'],
    [`${web}/blobs/sha256:..%2f..%2fetc`, 404, 'UNSUPPORTED'],
    [`${web}/blobs/latest`, 400, 'DIGEST_INVALID'],
    [`${web}/referrers/latest`, 400, 'DIGEST_INVALID'],
    [`/v2/Upper/referrers/${missing}`, 400, 'NAME_INVALID'],
    ['/v2/Upper/manifests/1', 400, 'NAME_INVALID'],
    ['/v2/a//b/tags/list', 400, 'NAME_INVALID'],
    [`${web}/tags/list?n=x`, 400, 'UNSUPPORTED'],
    [`${web}/tags/other`, 404, 'UNSUPPORTED'],
    ['/v2/%zz/manifests/1', 400, 'NAME_INVALID'],
    ['/v2/_catalog?n=x', 400, 'UNSUPPORTED'],
    ['/v2/_other', 404, 'UNSUPPORTED'],
    ['/', 404, 'UNSUPPORTED'],
  ])('%s is answered with %i %s', async (path, status, code) => {
    const reply = await call(path);
    expect(reply.status).toBe(status);
    expect(codeOf(reply)).toBe(code);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(await call(path, { method: 'HEAD' })).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  test.each([
    ['PUT', `${web}/manifests/1.0`],
    ['DELETE', `${web}/manifests/1.0`],
    ['DELETE', layerPath],
    ['POST', `${web}/blobs/uploads/`],
    ['PATCH', `${web}/blobs/uploads/1`],
    ['OPTIONS', '/v2/'],
  ])('%s %s changes nothing', async (method, path) => {
    const reply = await call(path, { method, body: method.startsWith('P') ? 'x'.repeat(100_000) : '' });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD');
    expect(codeOf(reply)).toBe('UNSUPPORTED');
  });

  test('an ambiguous name is answered with what to write instead', async () => {
    expect((await call('/v2/team/app/tags/list')).body.toString()).toContain('ghcr.io, quay.io');
  });

  test('a request that is no HTTP ends the connection, and the registry goes on', async () => {
    const { hostname, port } = new URL(registry.url);
    const answered = await new Promise<string>((settle) => {
      const socket = connect(Number(port), hostname, () =>
        socket.end('GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n\0\0\0'),
      );
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => settle(text));
    });
    expect(answered).toMatch(/^HTTP\/1\.1 400 /);
    expect((await call('/v2/')).status).toBe(200);
  });
});
