import type { LookupAddress } from 'node:dns';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../../../lib/kernel/http/answer.ts';
import { createTransport } from '../../../../lib/kernel/http/exchange.ts';
import { outsideLookup } from '../../../../lib/kernel/http/outside-lookup.ts';
import { isInnerAddress } from '../../../../lib/kernel/http/private-hosts.ts';
import { follow, hop, namedBy } from '../../../../lib/kernel/http/redirect.ts';
import type { Request } from '../../../../lib/kernel/http/request.ts';
import type { HttpTiming } from '../../../../lib/kernel/http/timing.ts';
import type { Transport } from '../../../../lib/kernel/http/transport.ts';
import { server } from './misbehaving.ts';

describe('redirects', () => {
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
    ['http://registry.example.com/', 'http://LOCALHOST.:1/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://registry.localhost./', 'only the machine itself'],
    ['http://registry.example.com/', 'http://127.1./', 'only the machine itself'],
    ['http://registry.example.com/', 'http://0x7f.0.0.1/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://0/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[::127.0.0.1]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[::ffff:0:127.0.0.1]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[64:ff9b::169.254.169.254]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[2002:7f00:1::]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[FE80::1]/', 'only the machine itself'],
    ['http://registry.example.com/', 'http://[::]/', 'only the machine itself'],
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

  test.each([
    ['https://registry.example.com/', 'https://10.0.0.5/token'],
    ['https://registry.example.com/', 'https://172.16.9.9/token'],
    ['https://registry.example.com/', 'https://192.168.1.1/token'],
    ['https://registry.example.com/', 'https://100.64.0.1/token'],
    ['https://registry.example.com/', 'https://[fd00::1]/token'],
    ['https://registry.example.com/', 'https://[::ffff:a00:1]/token'],
    ['https://registry.example.com/', 'https://[::a00:1]/token'],
    ['https://registry.example.com/', 'https://[64:ff9b::c0a8:101]/token'],
    ['https://registry.example.com/', 'https://[2002:ac10:909::1]/token'],
    ['https://registry.example.com./', 'https://10.0.0.5/token'],
  ])('from %s nothing is sent to %s, though it may be read from', (from, to) => {
    expect(() => hop(new URL(from), to, 'sends an upload', true)).toThrow('an address of a private network');
    expect(hop(new URL(from), to, 'redirects').href).toBe(to);
  });

  test.each([
    ['https://10.0.0.1/', 'https://10.0.0.2/token'],
    ['https://registry:5000/', 'https://10.0.0.2/token'],
    ['https://[fd00::2]/', 'https://[fd00::1]/token'],
    ['https://registry.example.com/', 'https://172.32.0.1/token'],
    ['https://registry./', 'https://10.0.0.2/token'],
    ['https://registry.example.com/', 'https://[::ffff:c000:201]/token'],
    ['https://registry.example.com/', 'https://[2001:db8::a00:1]/token'],
    ['https://registry.example.com/', 'https://auth.example.com/token'],
  ])('from %s something is sent to %s', (from, to) => {
    expect(hop(new URL(from), to, 'redirects for a token', true).href).toBe(to);
  });
});

describe('an address that a server names by a name', () => {
  const elsewhere = new URL('http://registry.example.com/');
  const timing: HttpTiming = { idle: 10_000, pause: 1 };

  /** A transport that redirects from a peer to a place, and notes what it is asked then. */
  const redirecting = (peer: string | undefined, to: string): { transport: Transport; asked: Request[] } => {
    const asked: Request[] = [];
    const send: Transport['send'] = async (request) => {
      asked.push(request);
      const isFirst = asked.length === 1;
      const headers = isFirst ? { location: to } : {};
      return { status: isFirst ? 302 : 200, headers, url: request.url, peer, discard: () => undefined } as Answer;
    };
    return { transport: { send, close: () => undefined }, asked };
  };
  const sentTo = async (from: string, peer: string | undefined, to: string): Promise<string | undefined> => {
    const { transport, asked } = redirecting(peer, to);
    await follow(transport, { method: 'GET', url: new URL(from), headers: {} });
    return asked[1]!.sentBy?.href;
  };

  test('must lead out of this machine, unless it was named from there', async () => {
    const evil = 'http://evil.example.com/';
    expect(await sentTo(elsewhere.href, '192.0.2.1', evil)).toBe(elsewhere.href);
    expect(await sentTo(elsewhere.href, undefined, evil)).toBe(elsewhere.href);
    expect(await sentTo(elsewhere.href, '127.0.0.1', evil)).toBeUndefined();
    expect(await sentTo(elsewhere.href, '::ffff:127.0.0.1', evil)).toBeUndefined();
    expect(await sentTo('http://localhost/', '127.0.0.1', evil)).toBeUndefined();
    // Its own name may stand for something else the next time.
    expect(await sentTo(elsewhere.href, '192.0.2.1', 'http://registry.example.com:6443/b')).toBe(elsewhere.href);
  });

  test('keeps to that through any number of servers', async () => {
    const places = ['http://a.example.com/', 'http://b.example.com/', 'http://c.example.com/'];
    const asked: Request[] = [];
    const send: Transport['send'] = async (request) => {
      const location = places[asked.push(request)];
      const [status, headers] = location === undefined ? [200, {}] : [302, { location }];
      // The last one answers from this machine, as it would have to.
      const peer = asked.length === places.length ? '127.0.0.1' : '192.0.2.1';
      return { status, headers, url: request.url, peer, discard: () => undefined } as Answer;
    };
    await follow({ send, close: () => undefined }, { method: 'GET', url: new URL(places[0]!), headers: {} });
    expect(asked.map(({ sentBy }) => sentBy?.href)).toEqual([undefined, places[0], places[1]]);
  });

  test.each([
    ['a server outside names it', '192.0.2.1', true, true],
    ['a server of a private network names it', '10.1.2.3', true, false],
    ['nobody knows where the server is', undefined, true, false],
    ['it is only read from', '192.0.2.1', false, false],
    ['it was named outside before', '192.0.2.1', false, true],
  ])('may be of a private network or not, where %s', (_, peer, sends, outside) => {
    const before = _.endsWith('before') ? { sentBy: elsewhere, outside: true } : {};
    expect(namedBy({ url: elsewhere, peer }, sends, before)).toEqual({ sentBy: elsewhere, outside });
  });

  test('is one of those that the name stands for which are outside, and none where there is none', async () => {
    const found = (from: URL, host: string, outside: boolean): Promise<readonly LookupAddress[] | string> =>
      new Promise((settle) =>
        outsideLookup(from, outside)(host, { all: true }, (error, addresses) =>
          settle(error ? error.message : (addresses as LookupAddress[])),
        ),
      );
    expect(await found(elsewhere, '192.0.2.7', true)).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(await found(elsewhere, '10.1.2.3', false)).toEqual([{ address: '10.1.2.3', family: 4 }]);
    expect(await found(elsewhere, '10.1.2.3', true)).toMatch(
      /leads to 10\.1\.2\.3 \(10\.1\.2\.3\), an address of a private network/,
    );
    expect(await found(elsewhere, '::ffff:10.1.2.3', true)).toMatch(/an address of a private network/);
    expect(await found(elsewhere, 'localhost', false)).toMatch(/only the machine itself/);
  });

  test.each([
    ['read as it comes', {}],
    ['read into lent memory', { into: () => new Uint8Array(65_536) }],
  ])('is not connected to where the name is one of this machine, whether it is %s', async (_, more) => {
    let asked = 0;
    const { url } = await server((_request, response) => {
      asked += 1;
      response.end('secret');
    });
    const named = new URL(url);
    named.hostname = 'localhost';
    const transport = createTransport(timing);
    onTestFinished(() => transport.close());
    const request = { method: 'GET', url: named, headers: {}, ...more } as const;
    await expect(transport.send({ ...request, sentBy: elsewhere })).rejects.toThrow(
      /registry\.example\.com leads to localhost \((?:127\.0\.0\.1|::1)\), which only the machine itself should reach/,
    );
    expect(asked).toBe(0);
    const answer = await transport.send(request);
    expect([answer.status, asked, isInnerAddress(answer.peer!)]).toEqual([200, 1, true]);
    answer.discard();
  });
});
