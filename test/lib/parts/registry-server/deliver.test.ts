import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';

import { call, image, layer, layerPath, shareRegistry, web } from './shelf.ts';

shareRegistry();

describe('content', () => {
  test.each([
    ['a tag', `${web}/manifests/1.0`],
    ['a digest', `${web}/manifests/${image.root.digest}`],
    ['an escaped digest', `${web}/manifests/${encodeURIComponent(image.root.digest)}`],
    ['a namespace', `${web}/manifests/1.0?ns=docker.io`],
    ['a path prefix', '/v2/docker.io/library/web/manifests/1.0'],
  ])('a manifest is served by %s, byte for byte', async (_, path) => {
    const reply = await call(path);
    expect(reply.status).toBe(200);
    expect(sha256(reply.body)).toBe(image.root.digest);
    expect(reply.headers).toMatchObject({
      'content-type': mediaTypes.index,
      'content-length': String(image.root.size),
      'docker-content-digest': image.root.digest,
      'accept-ranges': 'bytes',
      etag: `"${image.root.digest}"`,
    });
    expect(reply.headers['content-encoding']).toBeUndefined();
    const head = await call(path, { method: 'HEAD' });
    expect(head.body).toHaveLength(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...reply.headers, date: '' });
  });

  test('every manifest, config and layer below a root can be had by digest', async () => {
    for (const { descriptor, bytes } of image.blobs.values()) {
      const kind = /manifest|index/.test(descriptor.mediaType) ? 'manifests' : 'blobs';
      const reply = await call(`${web}/${kind}/${descriptor.digest}`, { headers: { 'accept-encoding': 'gzip, zstd' } });
      expect(reply.status).toBe(200);
      expect(Buffer.compare(reply.body, bytes)).toBe(0);
      const head = await call(`${web}/${kind}/${descriptor.digest}`, { method: 'HEAD' });
      expect(head.headers['content-length']).toBe(String(bytes.length));
    }
  });

  test('what a client has already is not sent again', async () => {
    const headers = { 'if-none-match': `W/"other", "${image.layer.digest}"` };
    expect(await call(layerPath, { headers })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await call(layerPath, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test.each([
    ['bytes=0-', 0, layer.length - 1],
    ['bytes=5-9', 5, 9],
    ['bytes=1000000-', 1_000_000, layer.length - 1],
    ['bytes=-7', layer.length - 7, layer.length - 1],
    [`bytes=10-${layer.length + 50}`, 10, layer.length - 1],
  ])('the range %s of a layer is served', async (range, start, end) => {
    const reply = await call(layerPath, { headers: { range } });
    expect(reply.status).toBe(206);
    expect(reply.headers['content-range']).toBe(`bytes ${start}-${end}/${layer.length}`);
    expect(Buffer.compare(reply.body, layer.subarray(start, end + 1))).toBe(0);
  });

  test.each(['bytes=500-0', `bytes=${layer.length}-`, 'bytes=-0'])('the range %s is outside', async (range) => {
    const reply = await call(layerPath, { headers: { range } });
    expect(reply.status).toBe(416);
    expect(reply.headers['content-range']).toBe(`bytes */${layer.length}`);
  });

  test.each([
    ['several ranges', { range: 'bytes=0-1,5-6' }],
    ['another unit', { range: 'lines=0-1' }],
    ['a range of other content', { range: 'bytes=0-1', 'if-range': '"other"' }],
  ])('%s get the whole', async (_, headers: Record<string, string>) => {
    const reply = await call(layerPath, { headers });
    expect(reply.status).toBe(200);
    expect(reply.body).toHaveLength(layer.length);
  });

  test('a range of the content that a client has begun is served', async () => {
    const headers = { range: 'bytes=0-1', 'if-range': `"${image.layer.digest}"` };
    expect((await call(layerPath, { headers })).status).toBe(206);
  });
});
