import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiServer, authority, connected, kubeconfig, signedBy } from '../../../../../../support/apiserver.ts';
import { judged, scratch } from '../../../../../../support/judges.ts';
import { startProxy } from '../../../../../../support/proxy.ts';
import { startSocks } from '../../../../../../support/socks.ts';

const folder = scratch('cluster-proxy');
const port = (url: string): string => new URL(url).port;

/** An API server with TLS, and what a kubeconfig says of it. */
async function secureServer(): Promise<{ url: string; cluster: object }> {
  const ca = await authority(folder, 'ca');
  const pair = await signedBy(ca, folder, 'server');
  const { url } = await apiServer(() => undefined, { cert: readFileSync(pair.cert), key: readFileSync(pair.key) });
  return { url, cluster: { server: url, 'certificate-authority': ca.cert } };
}

describe('the proxy of a kubeconfig', () => {
  judged('carries TLS through a tunnel, and sees its own login alone', ['openssl'], async () => {
    const { url, cluster } = await secureServer();
    const host = new URL(url).host;
    const proxy = await startProxy({ [host]: host }, { login: 'ada:letmein123' });
    const { api } = await connected(
      kubeconfig(folder, { ...cluster, 'proxy-url': proxy.url.href }, { token: 's3cr3t' }),
    );
    expect(api.server).toBe(url);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}`]));
  });

  judged('is named where it does not lead on, with the place of its address', ['openssl'], async () => {
    const { cluster } = await secureServer();
    const proxy = await startProxy({});
    await expect(connected(kubeconfig(folder, { ...cluster, 'proxy-url': proxy.url.href }))).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringMatching(/^the proxy http:\/\/127\.0\.0\.1:\d+ answered CONNECT .* with status 403$/),
      hint: 'check proxy-url of the kubeconfig',
    });
    const nobody = { ...cluster, 'proxy-url': 'http://127.0.0.1:1' };
    await expect(connected(kubeconfig(folder, nobody))).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringMatching(/^the proxy http:\/\/127\.0\.0\.1:1 fails: .*ECONNREFUSED/),
    });
  });

  test('is asked for a server without TLS, too', async () => {
    const { url } = await apiServer(() => undefined);
    const proxy = await startProxy({ [new URL(url).host]: new URL(url).host });
    await connected(kubeconfig(folder, { server: url, 'proxy-url': proxy.url.href }));
    expect(proxy.asked).toEqual([`GET ${url}`]);
  });

  test.each([
    ['socks5h', 'api.invalid', /^5 api\.invalid:\d+$/],
    ['socks', 'api.invalid', /^5 api\.invalid:\d+$/],
    ['socks4a', 'api.invalid', /^4 api\.invalid:\d+$/],
    ['socks5', 'localhost', /^5 (?:127\.0\.0\.1|\[0{31}1\]):\d+$/],
    ['socks4', 'localhost', /^4 127\.0\.0\.1:\d+$/],
  ])('may be one of %s://, which looks names up itself or not', async (scheme, host, asked) => {
    const { url } = await apiServer(() => undefined);
    const socks = await startSocks();
    const server = url.replace('127.0.0.1', host);
    const proxy = `${scheme}://127.0.0.1:${socks.port}`;
    await connected(kubeconfig(folder, { server, 'proxy-url': proxy }));
    expect(socks.asked).toEqual([expect.stringMatching(asked)]);
  });

  judged('may be a SOCKS proxy with a login, and the certificate of the server counts', ['openssl'], async () => {
    const { url, cluster } = await secureServer();
    const socks = await startSocks();
    const proxy = `socks5h://ada:let%20me@127.0.0.1:${socks.port}`;
    await connected(kubeconfig(folder, { ...cluster, 'proxy-url': proxy }));
    expect(socks.asked).toEqual([`5 127.0.0.1:${port(url)} ada:let me`]);
    await expect(connected(kubeconfig(folder, { server: url, 'proxy-url': proxy }))).rejects.toMatchObject({
      message: expect.stringContaining('signed by an authority that the kubeconfig does not name'),
    });
    await expect(
      connected(kubeconfig(folder, { ...cluster, 'proxy-url': 'socks5://127.0.0.1:1' })),
    ).rejects.toMatchObject({ message: expect.stringMatching(/^the proxy socks5:\/\/127\.0\.0\.1:1 fails: /) });
  });
});
