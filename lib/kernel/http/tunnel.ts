import type { RequestOptions } from 'node:http';
import { type AgentOptions, Agent as SecureAgent, request as secure } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { codeOf, reasonOf } from '../events/index.ts';
import { addressAuthorization } from './basic-auth.ts';
import { http } from './node.ts';
import { isSocks, serverName } from './proxy.ts';
import { ProxyError } from './transport-errors.ts';

type Connected = (error: Error | null, socket: Duplex) => void;

/** How long a proxy may take to let a tunnel through, in milliseconds. */
const PATIENCE = 60_000;

/** Keeps plain connections that go through tunnels of a proxy. */
export class TunnelAgent extends http.Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: RequestOptions & object, connected?: Connected): Duplex | null | undefined {
    tunnel(this.#proxy, options, {}).then(
      (socket) => connected?.(null, socket),
      (error) => connected?.(error, undefined as never),
    );
    return undefined;
  }
}

/** Keeps TLS connections that go through tunnels of a proxy. */
export class SecureTunnelAgent extends SecureAgent {
  readonly #proxy: URL;
  /** How TLS is spoken with the proxy itself, where its address is an https:// one. */
  readonly #trust: AgentOptions;

  constructor(proxy: URL, options: AgentOptions, trust: AgentOptions) {
    super(options);
    this.#proxy = proxy;
    this.#trust = trust;
  }

  override createConnection(options: RequestOptions & object, connected?: Connected): Duplex | null | undefined {
    tunnel(this.#proxy, options, this.#trust).then(
      // If TLS fails, the connection itself emits the error.
      (socket) => {
        const secured = { ...options, socket, ALPNProtocols: ['http/1.1'] } as ConnectionOptions;
        connected?.(null, connect(secured));
      },
      (error) => connected?.(error, undefined as never),
    );
    return undefined;
  }
}

/** Opens a tunnel to a host and its port through a proxy. Throws `ProxyError`. */
async function tunnel(proxy: URL, { host, port }: RequestOptions, trust: AgentOptions): Promise<Duplex> {
  if (!isSocks(proxy))
    return connectMethod(proxy, `${host}`.includes(':') ? `[${host}]:${port}` : `${host}:${port}`, trust);
  const { connectSocks } = await import('./socks.ts');
  return connectSocks(proxy, `${host}`, Number(port), PATIENCE);
}

/** Opens a tunnel to `HOST:PORT` by the method CONNECT (RFC 9110, 9.3.6). Throws `ProxyError`. */
function connectMethod(proxy: URL, to: string, trust: AgentOptions): Promise<Duplex> {
  return new Promise((settle, reject) => {
    const over = proxy.protocol === 'https:';
    const authorization = addressAuthorization(proxy);
    const host = proxy.hostname.replace(/^\[|\]$/g, '');
    const asking = (over ? secure : http.request)({
      ...(over ? { ...trust, ...serverName(host) } : {}),
      method: 'CONNECT',
      host,
      port: proxy.port === '' ? (over ? 443 : 80) : proxy.port,
      path: to,
      headers: { host: to, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
      agent: false,
      timeout: PATIENCE,
    });
    const refused = (status: number | undefined): void => {
      asking.destroy();
      const hint = status === 407 ? 'put user and password into its address: http://USER:PASSWORD@HOST' : undefined;
      reject(new ProxyError(proxy, `answered CONNECT ${to} with status ${status}`, 'ERR_PROXY_REFUSED', hint));
    };
    asking.once('connect', (answer, socket, head) => {
      if (answer.statusCode !== 200) return refused(answer.statusCode);
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      settle(socket);
    });
    asking.once('response', (answer) => refused(answer.statusCode));
    asking.once('timeout', () => asking.destroy(new Error('lets nothing through')));
    asking.on('error', (error) => {
      reject(new ProxyError(proxy, `fails: ${reasonOf(error)}`, codeOf(error) ?? 'ERR_PROXY_FAILED'));
    });
    asking.end();
  });
}
