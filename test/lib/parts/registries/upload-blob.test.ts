import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { noise } from '../../../support/registry.ts';
import { eventually } from '../../../support/until.ts';
import { blob, connect, front, image, manifest, user } from './front.ts';

describe('upload', () => {
  test('goes to the Location as it was given, query and all, relative to where the answer came from', async () => {
    const bytes = noise('location', 300_000);
    let got: Uint8Array | undefined;
    const { host, seen } = await front(async (request, response, count) => {
      if (count === 1) return response.writeHead(307, { location: '/moved/uploads/' }).end();
      if (request.method === 'POST') return response.writeHead(202, { location: 'session?state=a%2Fb%20c&x' }).end();
      got = await collect(request, bytes.length);
      return response.writeHead(201).end();
    });
    const content = blob(bytes);
    await (await connect(host)).push(content, async function* () {
      yield bytes.subarray(0, 7);
      yield bytes.subarray(7);
    });
    expect(seen[2]!.url).toBe(`/moved/uploads/session?state=a%2Fb%20c&x&digest=${encodeURIComponent(content.digest)}`);
    expect(seen[2]!.headers['content-length']).toBe(String(bytes.length));
    expect(Buffer.compare(got!, bytes)).toBe(0);
  });

  test('an upload to another origin carries no credentials', async () => {
    const store = await front((request, response) => request.resume().once('end', () => response.writeHead(201).end()));
    const { host } = await front((request, response) => {
      if (!request.headers.authorization)
        return response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
      return response.writeHead(202, { location: `http://${store.host}/session` }).end();
    });
    await (await connect(host, { credentials: user })).push(image.layer, () => image.open(image.layer));
    expect(store.seen[0]!.headers.authorization).toBeUndefined();
  });

  test('an answer that comes before the end of the body ends the upload and is reported', async () => {
    let pulled = 0;
    let released = false;
    const size = 200_000_000;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (; pulled < size; pulled += 100_000) yield new Uint8Array(100_000);
      } finally {
        released = true;
      }
    }
    const { host, seen } = await front((request, response) => {
      if (request.method === 'POST') return response.writeHead(202, { location: '/session' }).end();
      return response.writeHead(413).end(JSON.stringify({ errors: [{ code: 'SIZE_INVALID', message: 'too large' }] }));
    });
    const pushed = (await connect(host)).push({ ...blob(noise('x', 1)), size }, endless);
    await expect(pushed).rejects.toMatchObject({ message: expect.stringContaining('413 (SIZE_INVALID: too large)') });
    expect(pulled).toBeLessThan(size);
    await eventually(() => released).toBe(true);
    await eventually(() => seen[1]!.socket.destroyed).toBe(true);
  });

  test('a registry that alters a manifest is refused', async () => {
    const { host } = await front((request, response) =>
      request.resume().once('end', () => response.writeHead(201, { 'docker-content-digest': sha256('other') }).end()),
    );
    const repository = await connect(host);
    await expect(repository.tag(image.root, manifest, '1')).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining(sha256('other')),
    });
    await expect(repository.tag(image.root, manifest, 'example.com/other:1')).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
});
