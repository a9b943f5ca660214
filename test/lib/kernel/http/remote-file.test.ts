import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { answer, asked, file, honest, honestly, opened, server } from './misbehaving.ts';

const WHOLE = 1024 * 1024 * 1024;

describe('a file on a server', () => {
  test('is read at any offset, by ranges of the version that was seen first', async () => {
    const { url, seen } = await server(honestly);
    const remote = await opened(url);
    expect(remote.size).toBe(file.length);
    for (const [offset, length] of [
      [0, 10],
      [299_999, 1],
      [100_000, 150_000],
    ] as const) {
      expect(Buffer.compare(await remote.read(offset, length), file.subarray(offset, offset + length))).toBe(0);
    }
    const [first, ...later] = seen.map(({ headers }) => headers);
    expect(first).toMatchObject({ range: 'bytes=0-65535', 'accept-encoding': 'identity' });
    expect(first!['if-match']).toBeUndefined();
    expect(later.length).toBeGreaterThan(0);
    expect(new Set(later.map((headers) => headers['if-match']))).toEqual(new Set(['"one"']));
  });

  test.each([
    ['a weak ETag', { etag: 'W/"one"' }, 'if-unmodified-since', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['a strong ETag', { etag: '"two"' }, 'if-match', '"two"'],
  ])('with %s is asked for by %s', async (_, more, header, value) => {
    const { url, seen } = await server((request, response) => answer(request, response, more));
    await (await opened(url)).read(200_000, 10);
    expect(seen[1]!.headers[header]).toBe(value);
    expect(Object.keys(seen[1]!.headers).filter((name) => name.startsWith('if-'))).toEqual([header]);
  });

  test('that is smaller than the first range is there with that', async () => {
    const { url, seen } = await server((_, response) =>
      response.writeHead(206, { 'content-range': 'bytes 0-4/5', 'content-length': '5' }).end('small'),
    );
    const remote = await opened(url);
    expect(remote.size).toBe(5);
    expect(Buffer.from(await remote.read(0, 5)).toString()).toBe('small');
    expect(seen).toHaveLength(1);
  });

  test.each([
    [416, { 'content-range': 'bytes */0' }],
    [200, { 'content-length': '0' }],
  ])('that is empty is reported so after status %i', async (status, headers) => {
    const { url } = await server((_, response) => response.writeHead(status, headers).end());
    await expect(opened(url)).rejects.toMatchObject({ code: 'file-unreadable', message: 'is empty on the server' });
  });

  test('is named without user, password and query', async () => {
    const { url, seen } = await server(honestly);
    url.username = 'ada';
    url.password = 'let%3Ame:in';
    url.search = '?token=abc';
    const remote = await opened(url);
    expect(remote.path).toBe(`http://${url.host}/x.iso?***`);
    expect(seen[0]!.url).toBe('/x.iso?token=abc');
    expect(seen[0]!.headers.authorization).toBe(`Basic ${Buffer.from('ada:let:me:in').toString('base64')}`);
  });
});

describe('a server without ranges', () => {
  test('is reported so, and does not get rid of the file', async () => {
    let sent = 0;
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((settle) => {
      closed = settle;
    });
    const { url, seen } = await server(async (_, response) => {
      response.writeHead(200, { 'content-length': String(WHOLE) });
      response.once('close', () => closed!());
      const more = (): void => {
        while (sent < WHOLE && !response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    await expect(opened(url)).rejects.toMatchObject({
      code: 'remote-unranged',
      message: 'the server sends files only whole, and does not support range requests',
    });
    await gone;
    expect(sent).toBeLessThan(WHOLE / 4);
    expect(seen).toHaveLength(1);
  });
});

describe('a file that changes meanwhile', () => {
  test.each([
    ['another ETag', { etag: '"two"' }],
    ['another date', { 'last-modified': 'Fri, 02 Jan 2026 00:00:00 GMT' }],
    ['another size', { 'content-range': 'bytes 196608-229375/300001' }],
  ])('is noticed by %s', async (_, more) => {
    const { url } = await server((request, response, count) => answer(request, response, count === 1 ? {} : more));
    const remote = await opened(url);
    await expect(remote.read(200_000, 10)).rejects.toMatchObject({ code: 'remote-changed' });
  });

  test.each([404, 410, 412, 416])('is noticed by status %i', async (status) => {
    const { url, seen } = await server((request, response, count) =>
      count === 1 ? answer(request, response) : response.writeHead(status).end(),
    );
    const remote = await opened(url);
    await expect(remote.read(200_000, 10)).rejects.toMatchObject({ code: 'remote-changed' });
    expect(seen).toHaveLength(2);
  });

  test('is noticed by an answer with the whole of another one', async () => {
    const { url } = await server((request, response, count) =>
      count === 1 ? answer(request, response) : response.writeHead(200, { etag: '"two"' }).end('new'),
    );
    const remote = await opened(url);
    await expect(remote.read(200_000, 10)).rejects.toMatchObject({ code: 'remote-changed' });
  });
});

describe('an answer that breaks off', () => {
  test('is taken up where it broke', async () => {
    const { url, seen } = await server((request, response, count) => {
      if (count !== 2) return answer(request, response);
      const { first, last } = asked(request);
      response.writeHead(206, honest(first, last));
      response.write(file.subarray(first, first + 20_000), () => response.destroy());
    });
    const found = await (await opened(url)).read(131_072, 65_536);
    expect(Buffer.compare(found, file.subarray(131_072, 131_072 + 65_536))).toBe(0);
    const from = asked(seen[2]!).first;
    expect(from).toBeGreaterThan(131_072);
    expect(from).toBeLessThanOrEqual(131_072 + 20_000);
  });

  test('at the very beginning costs no more than the pieces that are needed', async () => {
    const { url } = await server((request, response, count) => {
      if (count !== 1) return answer(request, response);
      response.writeHead(206, honest(0, 65_535));
      response.write(file.subarray(0, 100), () => response.destroy());
    });
    const found = await (await opened(url)).read(0, 65_536);
    expect(Buffer.compare(found, file.subarray(0, 65_536))).toBe(0);
  });

  test.each([
    ['cut', (response: ServerResponse) => response.destroy()],
    ['short', (response: ServerResponse) => response.end()],
  ])('again and again (%s) is an error in the end', async (_, end) => {
    const { url, seen } = await server((request, response, count) => {
      if (count === 1) return answer(request, response);
      const { first, last } = asked(request);
      const { 'content-length': __, ...headers } = honest(first, last);
      response.writeHead(206, headers);
      response.write(file.subarray(first, first + 10), () => end(response));
    });
    const remote = await opened(url);
    await expect(remote.read(200_000, 10)).rejects.toMatchObject({
      code: 'remote-unreachable',
      message: 'cannot be read: the connection was closed early',
    });
    expect(seen).toHaveLength(5);
  });

  test('because it falls silent is given up', async () => {
    const { url } = await server((request, response, count) => {
      if (count === 1) return answer(request, response);
      const { first, last } = asked(request);
      response.writeHead(206, honest(first, last)).write(file.subarray(first, first + 10));
    });
    const remote = await opened(url, { timing: { idle: 20 } });
    await expect(remote.read(200_000, 10)).rejects.toMatchObject({
      code: 'remote-unreachable',
      message: expect.stringContaining('nothing moved for 0.02 s'),
    });
  });
});

describe('an answer that lies', () => {
  test.each([
    ['about where it begins', { 'content-range': 'bytes 1-65535/300000' }],
    ['about where it ends', { 'content-range': 'bytes 0-65536/300000' }],
    ['by leaving that out', { 'content-range': '' }],
    ['about its size', { 'content-range': 'bytes 0-65535/10' }],
    ['by a size over 2^53', { 'content-range': 'bytes 0-65535/9007199254740993' }],
    ['by a size that it keeps to itself', { 'content-range': 'bytes 0-65535/*' }],
    ['by compressing', { 'content-encoding': 'gzip' }],
  ])('%s is refused', async (_, more) => {
    const { url, seen } = await server((request, response) => answer(request, response, more));
    await expect(opened(url)).rejects.toMatchObject({ code: 'remote-error' });
    expect(seen).toHaveLength(1);
  });

  test('by never ending is cut off', async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((settle) => {
      closed = settle;
    });
    const { url } = await server((_, response) => {
      const { 'content-length': __, ...headers } = honest(0, 65_535);
      response.writeHead(206, headers);
      response.once('close', () => closed!());
      const more = (): void => {
        while (!response.destroyed) {
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    await expect(opened(url)).rejects.toMatchObject({
      code: 'remote-error',
      message: 'the server sends more than the 64.0 KiB it announced',
    });
    await gone;
  });

  test('in parts of its own choice is put together', async () => {
    const { url } = await server((request, response) => {
      const { first } = asked(request);
      const last = Math.min(first + 19_999, file.length - 1);
      response.writeHead(206, honest(first, last)).end(file.subarray(first, last + 1));
    });
    expect(Buffer.compare(await (await opened(url)).read(0, file.length), file)).toBe(0);
  });
});

describe('a refusal', () => {
  test.each([
    [404, 'file-missing', 'the server has no such file (status 404)', 1],
    [401, 'remote-denied', 'the server refuses access (status 401)', 1],
    [403, 'remote-denied', 'the server refuses access (status 403)', 1],
    [418, 'remote-error', 'the server answered with status 418', 1],
    [500, 'remote-error', 'the server answered with status 500', 4],
    [503, 'remote-error', 'the server answered with status 503', 4],
    [429, 'remote-error', 'the server answered with status 429', 4],
  ])('with status %i is reported as %s', async (status, code, message, requests) => {
    const { url, seen } = await server((_, response) => response.writeHead(status).end('<html>no</html>'));
    await expect(opened(url)).rejects.toMatchObject({ code, message, subject: url.href });
    expect(seen).toHaveLength(requests);
  });

  test('that passes is waited for, as long as the server says', async () => {
    const { url, seen } = await server((request, response, count) =>
      count === 1 ? response.writeHead(429, { 'retry-after': '0' }).end() : answer(request, response),
    );
    expect((await opened(url)).size).toBe(file.length);
    expect(seen).toHaveLength(2);
  });

  test('of the connection is reported with the host', async () => {
    const { url } = await server(honestly);
    url.port = '1';
    await expect(opened(url)).rejects.toMatchObject({
      code: 'remote-unreachable',
      message: 'cannot be read: the connection is refused',
      hint: 'check that a server listens at 127.0.0.1:1',
    });
  });
});

describe('a redirect', () => {
  test('is followed once, and its end asked directly until it refuses', async () => {
    let worn = false;
    const end = await server((request, response) => {
      if (worn && request.url === '/signed?key=1') response.writeHead(403).end();
      else answer(request, response);
    });
    const { url, seen } = await server((_, response, count) =>
      response.writeHead(302, { location: `${end.origin}/signed?key=${count}` }).end(),
    );
    url.username = 'ada';
    const remote = await opened(url);
    await remote.read(100_000, 10);
    expect(seen).toHaveLength(1);
    worn = true;
    await remote.read(250_000, 10);
    expect(seen).toHaveLength(2);
    expect(end.seen.map((request) => request.url)).toEqual([
      '/signed?key=1',
      '/signed?key=1',
      '/signed?key=1',
      '/signed?key=2',
    ]);
    expect(seen.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect(end.seen.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
  });

  test('without end is refused', async () => {
    const { url } = await server((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(opened(url)).rejects.toMatchObject({
      code: 'remote-error',
      message: expect.stringContaining('redirects more than 10 times, which is not followed'),
    });
  });
});

test('an abort ends what is under way', async () => {
  const controller = new AbortController();
  const { url } = await server(() => controller.abort(new Error('enough')));
  await expect(opened(url, { signal: controller.signal })).rejects.toThrow('enough');
});

test('what is being read when the file is closed is not asked for again', async () => {
  let asked: (() => void) | undefined;
  const waiting = new Promise<void>((settle) => {
    asked = settle;
  });
  const { url, seen } = await server((request, response, count) =>
    count === 1 ? answer(request, response) : asked!(),
  );
  const remote = await opened(url);
  const read = remote.read(200_000, 10);
  await waiting;
  await Promise.all([expect(read).rejects.toThrow('aborted'), remote.close()]);
  expect(seen).toHaveLength(2);
});
