import { describe, expect, test } from 'vitest';
import { hop } from '../../../lib/registries/redirect.ts';
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
    const pushed = (await connect(host)).push(image.layer, image.open(image.layer));
    await expect(pushed).rejects.toMatchObject({
      message: expect.stringContaining('redirects a POST with status 303'),
    });
  });

  test.each([
    ['https://registry.example.com/', 'http://registry.example.com/x', 'from https to http'],
    ['http://registry.example.com/', 'ftp://registry.example.com/x', 'ftp:'],
    ['http://registry.example.com/', 'http://user:secret@other.example.com/', 'password'],
    ['http://registry.example.com/', 'http://[', 'not an address'],
    ['http://registry.example.com/', 'http://127.0.0.1:6443/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://169.254.169.254/latest/meta-data', 'only the machine itself'],
    ['http://registry.example.com/', 'http://2130706433/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[::ffff:127.0.0.1]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[::1]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://localhost:1/', 'only the machine itself'],
  ])('from %s nobody is sent to %s', (from, to, why) => {
    expect(() => hop(new URL(from), to, 'redirects')).toThrow(why);
  });

  test.each([
    ['http://registry.example.com/v2/', '../x?a=b', 'http://registry.example.com/x?a=b'],
    ['http://127.0.0.1:5000/', 'http://localhost:5000/x', 'http://localhost:5000/x'],
    ['http://10.0.0.1/', 'https://10.0.0.2/token', 'https://10.0.0.2/token'],
  ])('from %s one is sent to %s', (from, to, result) => {
    expect(hop(new URL(from), to, 'redirects').href).toBe(result);
  });
});
