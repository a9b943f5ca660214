import { describe, expect, test } from 'vitest';
import { noise } from '../../../support/registry.ts';

import { blob, connect, front, type Handler, read } from './front.ts';

describe('download', () => {
  const bytes = noise('download', 300_000);

  /** Serves at most `most` bytes a connection. */
  function breaking(most: number, ranges: boolean): Handler {
    return (request, response) => {
      const start = ranges ? Number(/bytes=([0-9]+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
      const headers = {
        'content-length': bytes.length - start,
        'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      };
      response.writeHead(start > 0 ? 206 : 200, headers);
      const piece = bytes.subarray(start, start + most);
      response.write(piece, () => start + piece.length < bytes.length && request.socket.destroySoon());
    };
  }

  test('a broken connection is taken up where it broke', async () => {
    const { host, seen } = await front(breaking(100_000, true));
    expect(Buffer.compare(await read(await connect(host), blob(bytes)), bytes)).toBe(0);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)!.headers.range).toMatch(/^bytes=[0-9]+-$/);
  });

  test('the rest is asked for if it is still the same, and a restart is read over', async () => {
    const { host, seen } = await front((request, response, count) => {
      if (count === 1) response.setHeader('etag', '"one"');
      if (count === 1) return breaking(100_000, false)(request, response, count);
      return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    expect(Buffer.compare(await read(await connect(host), blob(bytes)), bytes)).toBe(0);
    expect(seen[1]!.headers['if-range']).toBe('"one"');
  });

  test('a range that is refused is read from the start again', async () => {
    const { host, seen } = await front((request, response, count) => {
      if (count === 1) return breaking(100_000, false)(request, response, count);
      if (request.headers.range) return response.writeHead(416).end();
      return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    expect(Buffer.compare(await read(await connect(host), blob(bytes)), bytes)).toBe(0);
    expect(seen).toHaveLength(3);
  });

  test.each(['bytes 5-299999/300000', 'bytes 100000-299999/999999', 'none'])(
    'a range that was not asked for (%s) is refused',
    async (range) => {
      const { host } = await front((request, response, count) => {
        if (count === 1) return breaking(100_000, false)(request, response, count);
        return response.writeHead(206, { 'content-range': range }).end(bytes.subarray(100_000));
      });
      await expect(read(await connect(host), blob(bytes))).rejects.toMatchObject({ code: 'registry-error' });
    },
  );

  test('a server without ranges that always breaks is given up', async () => {
    const { host } = await front(breaking(100_000, false));
    await expect(read(await connect(host), blob(bytes))).rejects.toMatchObject({
      code: 'registry-unreachable',
      message: expect.stringContaining('closed early'),
    });
  });

  test('a server without ranges that breaks once is read from the start again', async () => {
    const { host } = await front((request, response, count) => {
      if (count === 1) return breaking(100_000, false)(request, response, count);
      return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    expect(Buffer.compare(await read(await connect(host), blob(bytes)), bytes)).toBe(0);
  });

  test('a blob of another length is refused before it is read', async () => {
    const { host } = await front((_, response) => response.end(bytes));
    const repository = await connect(host);
    const descriptor = { ...blob(bytes), size: 10 };
    await expect(read(repository, descriptor)).rejects.toMatchObject({ code: 'size-mismatch' });
  });

  test('a reader that leaves early ends the connection', async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((settle) => {
      closed = settle;
    });
    const large = new Uint8Array(50_000_000);
    const { host } = await front((_, response) => {
      response.once('close', closed);
      response.writeHead(200, { 'content-length': large.length }).end(large);
    });
    const repository = await connect(host);
    for await (const _ of repository.open({ ...blob(bytes), size: large.length })) break;
    await gone;
  });

  test('an aborted download throws the reason of its signal', async () => {
    const controller = new AbortController();
    const { host } = await front((_, response) =>
      response.writeHead(200, { 'content-length': bytes.length }).write('x'),
    );
    const repository = await connect(host);
    const reading = async (): Promise<void> => {
      for await (const _ of repository.open(blob(bytes), controller)) controller.abort(new Error('enough'));
    };
    await expect(reading()).rejects.toThrow('enough');
  });
});
