import { describe, expect, test } from 'vitest';
import { noise } from '../../../support/registry.ts';

import { blob, connect, front, image, read, sendManifest } from './front.ts';

describe('repetition', () => {
  test.each([408, 429, 500, 502, 503, 504])('a call is repeated after status %i', async (status) => {
    const { host, seen } = await front((_, response, count) => {
      if (count < 3) response.writeHead(status).end();
      else sendManifest(response);
    });
    expect(await (await connect(host)).resolve('1')).toEqual(image.root);
    expect(seen).toHaveLength(3);
  });

  test('a call is repeated after its connection was cut', async () => {
    const { host, seen } = await front((request, response, count) => {
      if (count < 3) request.socket.destroy();
      else sendManifest(response);
    });
    expect(await (await connect(host)).resolve('1')).toEqual(image.root);
    expect(seen).toHaveLength(3);
  });

  test('a registry that keeps failing is reported with its own words', async () => {
    const { host, seen } = await front((_, response) => {
      const errors = [{ code: 'UNKNOWN', message: 'disk\u001b[31m full\n', detail: null }];
      response.writeHead(503).end(JSON.stringify({ errors }));
    });
    await expect((await connect(host)).has({ ...image.layer })).rejects.toMatchObject({ code: 'registry-error' });
    expect(seen).toHaveLength(4);
    await expect(read(await connect(host), image.layer)).rejects.toMatchObject({
      message: expect.stringMatching(/status 503 \(UNKNOWN: disk \[31m full \)$/),
    });
  });

  test('a wait of more than a minute is not waited for', async () => {
    const { host, seen } = await front((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await expect((await connect(host)).has(image.layer)).rejects.toMatchObject({
      code: 'registry-error',
      hint: expect.stringContaining('wait'),
    });
    expect(seen).toHaveLength(1);
  });

  test('an upload that has begun is not repeated where its content cannot be read again', async () => {
    const bytes = noise('upload', 500_000);
    let reads = 0;
    const { host, seen } = await front(async (request, response) => {
      if (request.method === 'POST') response.writeHead(202, { location: '/upload?state=a%2Fb' }).end();
      else if (request.method === 'PUT') request.once('data', () => request.socket.destroy());
      else response.writeHead(404).end();
    });
    const pushed = (await connect(host)).push(blob(bytes), async function* () {
      reads += 1;
      if (reads > 1) throw new Error('the source is gone');
      yield bytes;
    });
    await expect(pushed).rejects.toThrow('the source is gone');
    expect(seen.filter(({ method }) => method === 'PUT').length).toBeLessThanOrEqual(2);
  });

  test('a registry that falls silent is given up', async () => {
    const { host } = await front(() => undefined);
    const repository = await connect(host, { timing: { idle: 20 } });
    await expect(repository.resolve('1')).rejects.toMatchObject({
      code: 'registry-unreachable',
      message: expect.stringContaining('nothing moved for 0.02 s'),
    });
  });
});

test('what a registry warns of is passed on once', async () => {
  const { host } = await front((_, response) => {
    response.setHeader('warning', ['299 - "this \\"tag\\" goes away"', '299 - "and, soon"', '199 - "other"']);
    sendManifest(response);
  });
  const heard: string[] = [];
  const repository = await connect(host, { onWarning: (message) => heard.push(message) });
  await repository.resolve('1');
  await repository.resolve('1');
  expect(heard).toEqual(['this "tag" goes away', 'and, soon']);
});
