import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { SocksClient, type SocksClientOptions } from 'socks';
import { codeOf, reasonOf } from '../events/index.ts';
import { unescaped } from './basic-auth.ts';
import { ProxyError } from './transport-errors.ts';

/** The port where the address of a proxy names none (RFC 1928, 3). */
const PORT = 1080;

/**
 * Connects to a host through a SOCKS proxy (RFC 1928). With `socks4://` and `socks5://` the name of the host is looked
 * up here, with `socks4a://`, `socks5h://` and `socks://` by the proxy. Throws `ProxyError`.
 */
export async function connectSocks(proxy: URL, host: string, port: number, timeout: number): Promise<Duplex> {
  const version = proxy.protocol.startsWith('socks4') ? 4 : 5;
  const here = proxy.protocol === 'socks4:' || proxy.protocol === 'socks5:';
  const user = proxy.username === '' ? {} : { userId: unescaped(proxy.username) };
  const options: SocksClientOptions = {
    command: 'connect',
    proxy: {
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: Number(proxy.port) || PORT,
      type: version,
      ...user,
      password: unescaped(proxy.password),
    },
    destination: { host: here && isIP(host) === 0 ? (await lookup(host, version === 4 ? 4 : 0)).address : host, port },
    timeout,
  };
  try {
    return (await SocksClient.createConnection(options)).socket;
  } catch (error) {
    throw new ProxyError(proxy, `fails: ${reasonOf(error)}`, codeOf(error) ?? 'ERR_PROXY_FAILED');
  }
}
