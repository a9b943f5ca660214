import { describe, expect, test } from 'vitest';
import { addressAuthorization } from '../../../../lib/kernel/http/basic-auth.ts';
import { type FindProxy, isLoopback, type ProxySettings, proxiesOf } from '../../../../lib/kernel/http/proxy.ts';

function find(settings: ProxySettings): FindProxy {
  const proxy = proxiesOf(settings);
  if (typeof proxy === 'string') throw new Error(proxy);
  return proxy;
}

const both = { http: 'http://plain.example.com:3128', https: 'proxy.example.com:8080' };

describe('proxiesOf', () => {
  test('takes the one for the scheme, which is itself http:// where it does not say so', () => {
    const proxy = find(both);
    expect(proxy(new URL('http://registry.example.org/'))?.href).toBe('http://plain.example.com:3128/');
    expect(proxy(new URL('https://registry.example.org/'))?.href).toBe('http://proxy.example.com:8080/');
    expect(find({ http: both.http, https: ' ' })(new URL('https://registry.example.org/'))).toBeUndefined();
  });

  test.each([
    'http://localhost/',
    'https://a.localhost:5000/',
    'http://127.0.0.1:5000/',
    'http://127.9.9.9/',
    'http://[::1]/',
  ])('never leads to %s by a proxy', (url) => expect(find(both)(new URL(url))).toBeUndefined());

  test.each([
    ['example.org', 'https://example.org/', true],
    ['example.org', 'https://a.b.example.org:5000/', true],
    ['example.org', 'https://notexample.org/', false],
    ['.example.org', 'https://a.example.org/', true],
    ['.example.org', 'https://example.org/', false],
    ['*.example.org', 'https://a.example.org/', true],
    ['EXAMPLE.org', 'https://Example.ORG/', true],
    ['other.net, example.org:5000', 'https://example.org:5000/', true],
    ['example.org:5000', 'https://example.org/', false],
    ['example.org:443', 'https://example.org/', true],
    ['*', 'https://example.org/', true],
    ['10.0.0.0/8', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://11.1.2.3/', false],
    ['10.0.0.0/99', 'https://10.1.2.3/', false],
    ['192.168.1.1', 'https://192.168.1.1:5000/', true],
    ['fd00::/8', 'https://[fd00::1]/', true],
    ['[fd00::1]', 'https://[fd00::1]/', true],
    ['', 'https://example.org/', false],
  ])('NO_PROXY %s leads to %s directly: %s', (no, url, direct) => {
    expect(find({ ...both, no })(new URL(url)) === undefined).toBe(direct);
  });

  test.each([
    [{ http: 'socks5://proxy' }, 'HTTP_PROXY is a proxy of the kind socks5:'],
    [{ https: 'http://[' }, 'HTTPS_PROXY is not the address of a proxy'],
  ])('tells of %j what is wrong', (settings, message) => {
    expect(proxiesOf(settings)).toContain(message);
  });
});

test('user and password of a proxy are unescaped', () => {
  expect(addressAuthorization(new URL('http://a%40b:c%3Ad@proxy'))).toBe(
    `Basic ${Buffer.from('a@b:c:d').toString('base64')}`,
  );
  expect(addressAuthorization(new URL('http://proxy'))).toBeUndefined();
});

test('a name that only looks like this machine is not it', () => {
  expect(isLoopback('127.0.0.1.example.org')).toBe(false);
  expect(isLoopback('localhost.example.org')).toBe(false);
});
