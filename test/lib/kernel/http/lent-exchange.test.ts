import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ring } from '../../../../formats/bytes.ts';
import type { Answer } from '../../../../lib/kernel/http/answer.ts';
import { createTransport } from '../../../../lib/kernel/http/exchange.ts';
import type { HttpTiming } from '../../../../lib/kernel/http/timing.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
const plain = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;

type Serve = (socket: Socket, requests: number) => void;

/** Starts a server of scripted bytes; returns what reads from it, and what it has seen. */
async function served(
  serve: Serve,
  timing: HttpTiming = { idle: 2000, pause: 1 },
): Promise<{
  ask: (chunk?: number, signal?: AbortSignal) => Promise<Answer>;
  read: (chunk?: number, signal?: AbortSignal) => Promise<Buffer>;
  seen: { connections: number; requests: string[] };
}> {
  const seen = { connections: 0, requests: [] as string[] };
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      seen.requests.push(data.toString());
      serve(socket, seen.requests.length);
    });
    ending.push(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createTransport(timing);
  ending.push(
    () => transport.close(),
    () => server.close(),
  );
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/a?b=c`);
  const ask = (chunk = 65_536, signal?: AbortSignal): Promise<Answer> =>
    transport.send({
      method: 'GET',
      url,
      headers: { 'x-own': 'yes' },
      into: ring(chunk, 4),
      ...(signal ? { signal } : {}),
    });
  const read = async (chunk?: number, signal?: AbortSignal): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of (await ask(chunk, signal)).read()) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  };
  return { ask, read, seen };
}

describe('an answer that is read into lent memory', () => {
  test.each([1000, 65_536, 1_000_000])(
    'comes whole in chunks of %i bytes, over a connection that is kept',
    async (size) => {
      const { read, seen } = await served((socket) => socket.write(Buffer.concat([Buffer.from(plain), body])));
      expect((await read(size)).equals(body)).toBe(true);
      expect((await read(size)).equals(body)).toBe(true);
      expect(seen.connections).toBe(1);
      expect(seen.requests[0]).toMatch(/^GET \/v2\/a\?b=c HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
      expect(seen.requests[0]).toContain('\r\nx-own: yes\r\n');
    },
  );

  test('is not mixed with the next one, which its connection may carry before anybody has asked for its end', async () => {
    const { ask, seen } = await served((socket) => socket.write(Buffer.concat([Buffer.from(plain), body])));
    const first = (await ask()).read()[Symbol.asyncIterator]();
    for (let left = body.length; left > 0; ) left -= (await first.next()).value!.length;
    const second = await ask(1_000_000);
    // Clock: the second answer has to arrive while nobody reads.
    await new Promise((settle) => setTimeout(settle, 20));
    await expect(first.next()).resolves.toMatchObject({ done: true });
    expect(Buffer.from(await second.gather(body.length)).equals(body)).toBe(true);
    expect(seen.connections).toBe(1);
  });

  test('may come in pieces of any size, its head too', async () => {
    const { read } = await served(async (socket) => {
      const all = Buffer.concat([Buffer.from(plain), body.subarray(0, -1)]);
      for (let at = 0; at < 60; at += 7) {
        socket.write(all.subarray(at, at + 7));
        await new Promise((settle) => setImmediate(settle));
      }
      socket.write(all.subarray(63));
      socket.write(body.subarray(-1));
    });
    expect((await read()).equals(body)).toBe(true);
  });

  test.each([
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', `${body.length.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
    ['until the connection ends', '\r\n', '', ''],
    ['after a word of patience', `Content-Length: ${body.length}\r\n\r\n`, '', ''],
  ])('may come %s, asked for once', async (form, head, before, after) => {
    const { read, seen } = await served((socket) => {
      if (form.startsWith('after')) socket.write('HTTP/1.1 102 Processing\r\n\r\n');
      const start = head === '\r\n' ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 200 OK\r\n';
      socket.write(
        Buffer.concat([
          Buffer.from(`${start}${head === '\r\n' ? '\r\n\r\n' : head}${before}`),
          body,
          Buffer.from(after),
        ]),
      );
      if (form.startsWith('until')) socket.end();
    });
    expect((await read()).equals(body)).toBe(true);
    expect(seen.requests).toHaveLength(1);
  });

  test('that ends too early gives what came, then fails as one that was cut', async () => {
    const { read } = await served((socket) => socket.end(Buffer.concat([Buffer.from(plain), body.subarray(0, 1000)])));
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('followed by bytes that nobody asked for leaves no connection behind', async () => {
    const { read, seen } = await served((socket) => {
      socket.write(Buffer.concat([Buffer.from(plain), body]));
      // Clock: these bytes are to come in a packet of their own.
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
    });
    expect((await read()).equals(body)).toBe(true);
    // Clock: the bytes have to arrive while nobody asks.
    await new Promise((settle) => setTimeout(settle, 100));
    expect((await read()).equals(body)).toBe(true);
    expect(seen.connections).toBe(2);
  });

  test('is asked for anew where a connection that rested has ended just then', async () => {
    const { read, seen } = await served((socket, requests) => {
      if (requests === 2) socket.destroy();
      else socket.write(Buffer.concat([Buffer.from(plain), body]));
    });
    await read();
    expect((await read()).equals(body)).toBe(true);
    expect(seen.connections).toBe(2);
  });

  test('that stops coming is given up after the time for it', async () => {
    const { read } = await served((socket) => socket.write(`${plain}few`), { idle: 100, pause: 1 });
    await expect(read()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  test('ends with its signal, for the reason of that', async () => {
    const stop = new AbortController();
    const { read } = await served((socket) => {
      socket.write(`${plain}few`);
      // Clock: some of the body has to be there.
      setTimeout(() => stop.abort(new Error('enough')), 20);
    });
    await expect(read(1000, stop.signal)).rejects.toThrow('enough');
  });
});
