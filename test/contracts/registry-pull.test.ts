import { describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { mediaTypes } from '../../formats/oci/descriptor.ts';
import { bytesOf, call, expectError, type Subject, serveBoth, subjects, web } from './registries.ts';

serveBoth();

// distribution-spec, "Pull": what every registry owes.
describe.each(['readOnly', 'writable'] as const)('pulling from the %s registry', (kind) => {
  const subject = (): Subject => subjects[kind];
  const at = (path: string): string => `${subject().url}${path}`;
  const missing = sha256('missing');

  test('GET /v2/ is answered with 200', async () => {
    expect((await call(at('/v2/'))).status).toBe(200);
  });

  test.each(['tag', 'digest'])('a manifest is provided by %s with 200, byte for byte', async (by) => {
    const { image } = subject();
    const reply = await call(at(`${web}/manifests/${by === 'tag' ? '1.0.0' : image.index.digest}`));
    expect(reply.status).toBe(200);
    expect(sha256(await bytesOf(reply))).toBe(image.index.digest);
    expect(reply.headers.get('docker-content-digest')).toBe(image.index.digest);
    expect(reply.headers.get('content-type')).toBe(mediaTypes.index);
  });

  test('every blob and every manifest is provided with 200, and its digest in a header', async () => {
    const { image } = subject();
    const manifests = new Set([image.index, ...image.manifests].map(({ digest }) => digest));
    for (const [digest, bytes] of image.blobs) {
      const path = at(`${web}/${manifests.has(digest) ? 'manifests' : 'blobs'}/${digest}`);
      const reply = await call(path);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('docker-content-digest')).toBe(digest);
      expect(Buffer.compare(await bytesOf(reply), bytes)).toBe(0);
      const head = await call(path, 'HEAD');
      expect(head.status).toBe(200);
      expect(head.headers.get('docker-content-digest')).toBe(digest);
      expect(head.headers.get('content-length')).toBe(String(bytes.length));
      expect(await bytesOf(head)).toHaveLength(0);
    }
  });

  test('a HEAD by tag has digest and length of the manifest', async () => {
    const { image } = subject();
    const { status, headers } = await call(at(`${web}/manifests/1.0.0`), 'HEAD');
    expect([status, headers.get('docker-content-digest')]).toEqual([200, image.index.digest]);
    expect(headers.get('content-length')).toBe(String(image.index.size));
  });

  test.each([
    ['manifest by tag', `${web}/manifests/absent`],
    ['manifest by digest', `${web}/manifests/${missing}`],
    ['blob', `${web}/blobs/${missing}`],
    ['repository, by manifest', '/v2/no/such/manifests/1'],
    ['repository, by blob', `/v2/no/such/blobs/${missing}`],
    ['repository, by tags', '/v2/no/such/tags/list'],
  ])('what is not there is answered with 404: a %s', async (_, path) => {
    await expectError(await call(at(path)), 404);
    expect((await call(at(path), 'HEAD')).status).toBe(404);
  });

  test.each([
    ['manifests/sha256:short', 400],
    ['manifests/-dash', 404],
    ['blobs/sha256:short', 400],
    ['blobs/md5:d41d8cd98f00b204e9800998ecf8427e', 400],
  ])('a reference of no valid form is refused: %s', async (path, status) => {
    await expectError(await call(at(`${web}/${path}`)), status);
  });

  test('a name that the grammar does not allow is refused', async () => {
    for (const name of ['UPPER', 'a//b', '-a', 'a/.b', 'a/_b']) {
      await expectError(await call(at(`/v2/${name}/tags/list`)), 400, 'NAME_INVALID');
    }
  });

  test('a part of a blob is answered with 206, what lies outside with 416, and several parts with the whole', async () => {
    const { image } = subject();
    const [digest, bytes] = [...image.blobs].find(([, content]) => content[0] === 0x1f)!;
    const part = (range: string): Promise<Response> => call(at(`${web}/blobs/${digest}`), 'GET', undefined, { range });
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-', 0, size],
      ['bytes=3-9', 3, 10],
      ['bytes=-5', size - 5, size],
      [`bytes=7-${size + 100}`, 7, size],
    ] as const) {
      const reply = await part(range);
      expect([reply.status, reply.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
      expect(Buffer.compare(await bytesOf(reply), bytes.subarray(start, end))).toBe(0);
    }
    for (const range of ['bytes=500-0', `bytes=${size}-`, 'bytes=-0']) {
      const reply = await part(range);
      expect(reply.headers.get('content-range')).toBe(`bytes */${size}`);
      await expectError(reply, 416);
    }
    const several = await part('bytes=0-1,4-5');
    expect([several.status, (await bytesOf(several)).length]).toEqual([200, size]);
  });

  test('nothing is encoded, whatever a client accepts', async () => {
    const headers = { 'accept-encoding': 'zstd, gzip' };
    const reply = await call(at(`${web}/manifests/1.0.0`), 'GET', undefined, headers);
    expect(reply.headers.get('content-encoding')).toBeNull();
  });
});
