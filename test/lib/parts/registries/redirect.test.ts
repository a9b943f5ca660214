import { describe, expect, test } from 'vitest';
import { noise } from '../../../support/registry.ts';

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

  test('a signed link that its store refuses is asked for anew, once', async () => {
    const bytes = noise('signed', 1000);
    const store = await front((request, response) => {
      if (request.url!.includes('signature=1')) response.writeHead(403).end();
      else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    const { host, seen } = await front((_, response, count) =>
      response.writeHead(307, { location: `http://${store.host}/bucket?signature=${count}` }).end(),
    );
    expect(Buffer.compare(await read(await connect(host), blob(bytes)), bytes)).toBe(0);
    expect(seen).toHaveLength(2);
  });

  test('a store that takes no link is what is blamed, with its words, and not the repository', async () => {
    const words = '<Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message></Error>';
    const store = await front((_, response) => response.writeHead(403).end(words));
    const { host, seen } = await front((_, response) =>
      response.writeHead(307, { location: `http://${store.host}/bucket` }).end(),
    );
    await expect(read(await connect(host), image.layer)).rejects.toMatchObject({
      code: 'registry-error',
      message: `GET http://${store.host}/bucket was answered with status 403 (RequestTimeTooSkewed: The difference is too large.)`,
      hint: expect.stringMatching(
        new RegExp(`^${host} sends readers to that store, .* check the clock of the registry`),
      ),
    });
    expect(seen).toHaveLength(2);
  });

  test('a store that cannot be reached is named, and who sends there', async () => {
    const { host } = await front((_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/b' }).end());
    await expect(read(await connect(host), image.layer)).rejects.toMatchObject({
      code: 'registry-unreachable',
      message: 'GET http://127.0.0.1:1/b failed: the connection is refused',
      hint: `check that a store listens at 127.0.0.1:1; ${host} sends readers there`,
    });
  });
});
