import { describe, expect, test } from 'vitest';
import { noise } from '../../support/registry.ts';

import { blob, connect, front, image, read, user } from './front.ts';

describe('redirects', () => {
  test('a blob is fetched from another origin, which gets no credentials, and none are sent back', async () => {
    const bytes = noise('elsewhere', 1000);
    const back = await front((_, response) => response.end(bytes));
    const store = await front((_, response) => response.writeHead(307, { location: `http://${back.host}/end` }).end());
    const { host } = await front((request, response) => {
      if (!request.headers.authorization) response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
      else response.writeHead(307, { location: `http://${store.host}/presigned?signature=abc` }).end();
    });
    const repository = await connect(host, { credentials: user });
    expect(Buffer.compare(await read(repository, blob(bytes)), bytes)).toBe(0);
    expect(store.seen[0]!.headers.authorization).toBeUndefined();
    expect(back.seen[0]!.headers.authorization).toBeUndefined();
    expect(store.seen[0]!.url).toBe('/presigned?signature=abc');
  });

  test('redirects without end are refused', async () => {
    const { host, seen } = await front((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect((await connect(host)).has(image.layer)).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining('more than 10 times'),
    });
    expect(seen).toHaveLength(11);
  });

  test('a POST is not turned into a GET', async () => {
    const { host } = await front((_, response) => response.writeHead(303, { location: '/other' }).end());
    const pushed = (await connect(host)).push(image.layer, () => image.open(image.layer));
    await expect(pushed).rejects.toMatchObject({
      message: expect.stringContaining('redirects a POST with status 303'),
    });
  });
});
