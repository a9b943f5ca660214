import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proxiesOf } from '../../../../lib/kernel/http/proxy.ts';
import { certificatesFrom, openRegistries, type RegistryOptions } from '../../../../lib/parts/registries/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { startProxy } from '../../../support/proxy.ts';
import { dockerRegistry, sampleImage, selfSigned } from '../../../support/registry.ts';
import { push, stored, waits } from './faults.ts';

const folder = scratch('ways');
const file = (name: string): string => join(folder, name);
const image = sampleImage('ways', 300_000);
const [key, certificate, authority] = [file('server.key'), file('server.crt'), file('clients.crt')];
const plain = dockerRegistry(folder);
const secure = dockerRegistry(folder, { tls: { certificate, key } });
const mutual = dockerRegistry(folder, { tls: { certificate, key, clientcas: [authority] } });
const { timing } = waits();

/** Certificates for a server that is found by names, and for a client. */
async function certificates(): Promise<void> {
  const names = 'subjectAltName=IP:127.0.0.1,DNS:registry.test,DNS:proxy.test';
  await selfSigned(key, certificate, ['-subj', '/CN=registry', '-addext', names]);
  await selfSigned(file('client.key'), authority, ['-subj', '/CN=client']);
}

let prepared: Promise<void> | undefined;
function prepare(): Promise<void> {
  prepared ??= certificates();
  return prepared;
}

/** A folder as /etc/containers/certs.d is, for one host. */
function certsFor(host: string, files: Readonly<Record<string, string>>): string {
  const root = file(`certs-${host}-${Object.keys(files).length}`);
  mkdirSync(join(root, host), { recursive: true });
  for (const [name, path] of Object.entries(files)) writeFileSync(join(root, host, name), readFileSync(path));
  return root;
}

/** Pushes to a registry and reads back, so that all went both ways. */
async function roundTrip(scheme: 'http' | 'https', registry: string, options: RegistryOptions): Promise<void> {
  const repository = await openRepository({ scheme, registry, repository: 'team/web' }, { timing, ...options });
  try {
    await push(image, repository, '1');
    expect(Buffer.compare(await stored(repository, image.layer), image.bytesOf(image.layer))).toBe(0);
  } finally {
    await repository.close();
  }
}

function through(proxy: URL): RegistryOptions {
  const found = proxiesOf({ http: proxy.href, https: proxy.href });
  if (typeof found === 'string') throw new Error(found);
  return { proxy: found };
}

describe('certificates of a host', () => {
  judged('make it trusted, that one alone', ['docker-registry', 'openssl'], async () => {
    await prepare();
    const { host } = await secure();
    await roundTrip('https', host, { certificates: certificatesFrom([certsFor(host, { 'ca.crt': certificate })]) });
    const elsewhere = certificatesFrom([certsFor('127.0.0.1:9', { 'ca.crt': certificate })]);
    await expect(roundTrip('https', host, { certificates: elsewhere })).rejects.toMatchObject({
      code: 'registry-unreachable',
      hint: expect.stringContaining('certificate'),
    });
  });

  judged('are what a registry with TLS lacks that is spoken to without', ['docker-registry', 'openssl'], async () => {
    await prepare();
    const { host } = await secure();
    await expect(roundTrip('http', host, {})).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringContaining('400 (Client sent an HTTP request to an HTTPS server)'),
      hint: expect.stringContaining('put the authority that signed its certificate below --certs-dir'),
    });
  });

  judged('show who asks, to a registry that wants to know', ['docker-registry', 'openssl'], async () => {
    await prepare();
    const { host } = await mutual();
    const own = { 'ca.crt': certificate, 'client.cert': authority, 'client.key': file('client.key') };
    await roundTrip('https', host, { certificates: certificatesFrom([certsFor(host, own)]) });
    const unknown = certificatesFrom([certsFor(host, { 'ca.crt': certificate })]);
    await expect(roundTrip('https', host, { certificates: unknown })).rejects.toMatchObject({
      code: 'registry-unreachable',
      side: 'target',
    });
  });

  judged('do not matter where any is taken', ['docker-registry', 'openssl'], async () => {
    await prepare();
    await roundTrip('https', (await secure()).host, { insecure: true });
  });

  judged('are looked for by the scheme that a registry speaks', ['docker-registry', 'openssl'], async () => {
    await prepare();
    const registries = openRegistries({ timing });
    expect(await registries.schemeOf((await secure()).host)).toBe('https');
    expect(await registries.schemeOf((await plain()).host)).toBe('http');
    registries.close();
  });

  judged('that are none, or lack their key, are refused by the name of the file', ['openssl'], async () => {
    await prepare();
    const refuse = (files: Record<string, string>, message: RegExp) =>
      expect(certificatesFrom([certsFor('bad', files)])('bad')).rejects.toMatchObject({
        code: 'certificate-invalid',
        message: expect.stringMatching(message),
      });
    await refuse({ 'ca.crt': key }, /does not hold certificates/);
    await refuse({ 'client.cert': authority, 'x.y': key }, /has no key beside it/);
    await refuse({ 'client.cert': authority, 'client.key': key, 'x.y': key }, /that matches the key beside it/);
    expect(await certificatesFrom([file('absent')])('bad')).toEqual({ ca: [] });
  });
});

describe('a proxy', () => {
  judged('is asked for plain addresses by their whole URL, with its own login', ['docker-registry'], async () => {
    const { host } = await plain();
    const proxy = await startProxy({ 'registry.test:5000': host }, { login: 'ada:letmein123' });
    await roundTrip('http', 'registry.test:5000', through(proxy.url));
    expect(new Set(proxy.asked.map((asked) => asked.split(' ')[1]))).toEqual(new Set(['http://registry.test:5000']));
  });

  judged(
    'is tunnelled through to a registry with TLS, whose certificate counts',
    ['docker-registry', 'openssl'],
    async () => {
      await prepare();
      const { host } = await secure();
      const proxy = await startProxy({ 'registry.test:443': host }, { login: 'ada:letmein123' });
      const ca = await ok('openssl', ['x509', '-in', certificate]);
      await roundTrip('https', 'registry.test', { ...through(proxy.url), ca });
      expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT registry.test:443']));
      await expect(roundTrip('https', 'registry.test', through(proxy.url))).rejects.toMatchObject({
        code: 'registry-unreachable',
        hint: expect.stringContaining('certificate'),
      });
    },
  );

  judged('that speaks TLS itself is trusted as hosts are', ['docker-registry', 'openssl'], async () => {
    await prepare();
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') };
    const proxy = await startProxy(
      { 'registry.test:443': (await secure()).host, 'plain.test': (await plain()).host },
      { tls },
    );
    await roundTrip('https', 'registry.test', { ...through(proxy.url), ca: tls.cert });
    await roundTrip('http', 'plain.test', { ...through(proxy.url), ca: tls.cert });
    await expect(roundTrip('https', 'registry.test', through(proxy.url))).rejects.toMatchObject({
      code: 'registry-unreachable',
      message: expect.stringContaining(`the proxy https://${proxy.url.host} fails`),
    });
  });

  judged('that refuses, is not there, or wants a login is named, without the login', ['openssl'], async () => {
    const proxy = await startProxy({}, { login: 'ada:letmein123' });
    const fails = async (scheme: 'http' | 'https', url: URL): Promise<string> => {
      const error = await roundTrip(scheme, 'registry.test', through(url)).catch((caught) => caught);
      expect(error).toMatchObject({ code: expect.stringMatching(/^registry-/), side: 'target' });
      expect(`${error.stack} ${error.cause?.stack}`).not.toContain('letmein123');
      return `${error.message}; ${error.hint}`;
    };
    expect(await fails('https', proxy.url)).toContain(
      `the proxy http://${proxy.url.host} answered CONNECT registry.test:443 with status 403`,
    );
    const stranger = new URL(proxy.url);
    stranger.password = 'wrong';
    expect(await fails('https', stranger)).toContain('put user and password into its address');
    const absent = new URL('http://ada:letmein123@127.0.0.1:1');
    for (const scheme of ['http', 'https'] as const) {
      expect(await fails(scheme, absent)).toContain('check HTTP_PROXY, HTTPS_PROXY and NO_PROXY');
    }
  });
});

test('a registry that may be without TLS is asked by HTTP only where it answers so', async () => {
  const answers = ['reset', 'end', 'alert', 'plain'] as const;
  const found: string[] = [];
  for (const answer of answers) {
    let plainly = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        if (bytes[0] !== 0x16) plainly += 1;
        if (answer === 'reset') socket.resetAndDestroy();
        else if (answer === 'end') socket.end();
        // A fatal alert, "handshake failure" (RFC 8446, 6.2).
        else if (answer === 'alert') socket.end(Uint8Array.of(0x15, 3, 3, 0, 2, 2, 40));
        else socket.end('HTTP/1.0 400 Bad Request\r\n\r\n');
      });
    });
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const registries = openRegistries({ timing });
    const { port } = server.address() as AddressInfo;
    found.push(`${answer}: ${await registries.schemeOf(`127.0.0.1:${port}`)}`);
    const target = { scheme: await registries.schemeOf(`127.0.0.1:${port}`), registry: `127.0.0.1:${port}` };
    const repository = registries.open({ ...target, repository: 'team/web', insecure: true });
    await expect(repository.resolve('1')).rejects.toMatchObject({ code: expect.stringMatching(/^registry-/) });
    expect(plainly > 0).toBe(answer === 'plain');
    registries.close();
    server.close();
  }
  expect(found).toEqual(['reset: https', 'end: https', 'alert: https', 'plain: http']);
});
