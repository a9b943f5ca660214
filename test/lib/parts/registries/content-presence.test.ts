import { expect, test } from 'vitest';
import { connect, front, image, sendManifest } from './front.ts';

test.each([405, 501])(
  'a registry that answers HEAD with %i is asked by GET, for one byte of a blob',
  async (status) => {
    const { layer } = image;
    const { host, seen } = await front((request, response) => {
      if (request.method === 'HEAD') return response.writeHead(status).end();
      if (request.url!.includes('/manifests/')) return sendManifest(response);
      if (!request.url!.endsWith(layer.digest)) return response.writeHead(404).end();
      return response.writeHead(206, { 'content-range': `bytes 0-0/${layer.size}`, 'content-length': 1 }).end('x');
    });
    const repository = await connect(host);
    expect(await repository.has(layer)).toBe(true);
    expect(await repository.has({ ...layer, size: layer.size + 1 })).toBe(false);
    expect(await repository.has({ ...layer, digest: image.root.digest })).toBe(false);
    expect(await repository.has(image.root)).toBe(true);
    expect(await repository.tagged('1')).toBe(image.root.digest);
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'GET', 'GET', 'GET', 'GET']);
    expect(seen.map(({ headers }) => headers.range)).toEqual([
      undefined,
      ...Array(3).fill('bytes=0-0'),
      undefined,
      undefined,
    ]);
  },
);

test('A store that takes its links for GET alone is asked by GET', async () => {
  const { layer } = image;
  const store = await front((request, response) => {
    if (request.method === 'HEAD') response.writeHead(403).end();
    else response.writeHead(206, { 'content-range': `bytes 0-0/${layer.size}`, 'content-length': 1 }).end('x');
  });
  const { host } = await front((_, response) => response.writeHead(307, { location: `http://${store.host}/b` }).end());
  expect(await (await connect(host)).has(layer)).toBe(true);
});
