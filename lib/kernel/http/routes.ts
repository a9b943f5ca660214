import type { Agent, RequestOptions } from 'node:http';
import type { AgentOptions, Agent as SecureAgent } from 'node:https';
import { addressAuthorization } from './basic-auth.ts';
import { http, https, tls } from './node.ts';
import { type FindProxy, isSocks, serverName } from './proxy.ts';

/** TLS settings of one host. */
export interface HostTls {
  /** PEM text of authorities to trust beside those of the system. */
  readonly ca?: readonly string[];
  /** PEM text of the only authorities to trust; those of the system and all others do not count. */
  readonly onlyCa?: string;
  /** PEM text of the client certificate, and of its key. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** The name that the host's certificate has to be for, where that is not the one in the address. */
  readonly serverName?: string;
  /** Takes whatever certificate the host shows. */
  readonly insecure?: boolean;
}

/** How connections are made, beside what an address says. */
export interface ConnectionSettings {
  /** PEM text of authorities that are trusted beside those of the system, for every host. */
  readonly ca?: string | undefined;
  /** What holds for one host (`host:port` as in a URL) besides. */
  readonly tls?: ((host: string) => Promise<HostTls>) | undefined;
  readonly proxy?: FindProxy | undefined;
}

/** Where a request has to be sent so that it comes to its address. */
export interface Route {
  /** Whether TLS is spoken with what is connected to. */
  readonly secure: boolean;
  /** The proxy that the request itself goes to; undefined where it goes to the server, if through a tunnel. */
  readonly proxy: URL | undefined;
  /** How its server is connected to where nothing lies between; undefined where something does. */
  readonly direct?: AgentOptions;
  readonly options: RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps connections, by where they lead. */
export interface Routes {
  to(url: URL): Promise<Route>;
  close(): void;
}

const kept = { keepAlive: true, maxFreeSockets: 8 };

/** Makes routes; nothing is connected to yet. */
export function createRoutes({ ca, tls: tlsOf, proxy: find }: ConnectionSettings): Routes {
  const plain = new http.Agent(kept);
  const others = new Map<string, Promise<Agent>>();
  const agentOf = (key: string, make: () => Promise<Agent>): Promise<Agent> => {
    const known = others.get(key) ?? make();
    others.set(key, known);
    known.catch(() => others.delete(key));
    return known;
  };
  const trust = async (host: string): Promise<AgentOptions> => ({ ...kept, ...tlsOptions(ca, await tlsOf?.(host)) });
  const secureAgent = async (url: URL, proxy: URL | undefined): Promise<Agent> => {
    const options = await trust(url.host);
    if (!proxy) return new (https().Agent)(options);
    const { SecureTunnelAgent } = await import('./tunnel.ts');
    return new SecureTunnelAgent(proxy, options, await trust(proxy.host));
  };
  return {
    to: async (url) => {
      const proxy = find?.(url);
      const key = `${proxy?.href} ${url.host}`;
      if (url.protocol === 'https:') {
        const agent = await agentOf(key, () => secureAgent(url, proxy));
        return { ...tunnelled(true, agent), ...(proxy ? {} : { direct: (agent as SecureAgent).options }) };
      }
      if (!proxy) return { ...tunnelled(false, plain), direct: {} };
      if (isSocks(proxy)) {
        const { TunnelAgent } = await import('./tunnel.ts');
        return tunnelled(false, await agentOf(key, async () => new TunnelAgent(proxy, kept)));
      }
      const over = proxy.protocol === 'https:';
      const agent = over ? await agentOf(proxy.href, async () => new (https().Agent)(await trust(proxy.host))) : plain;
      return handedOver(url, proxy, agent);
    },
    close: () => {
      plain.destroy();
      for (const agent of others.values()) {
        agent.then(
          (made) => made.destroy(),
          () => undefined,
        );
      }
    },
  };
}

/** Makes the route of a request that goes to its server, directly or through a tunnel. */
function tunnelled(secure: boolean, agent: Agent): Route {
  return { secure, proxy: undefined, options: { agent }, headers: {} };
}

/** Makes the route of a request for a plain address that a proxy gets, by the whole URL (RFC 9112, 3.2.2). */
function handedOver(url: URL, proxy: URL, agent: Agent): Route {
  const authorization = addressAuthorization(proxy);
  const secure = proxy.protocol === 'https:';
  const path = `${url.origin}${url.pathname}${url.search}`;
  const { hostname, port } = proxy;
  const host = hostname.replace(/^\[|\]$/g, '');
  const to = { hostname: host, host, port: port === '' ? (secure ? 443 : 80) : port, path };
  return {
    secure,
    proxy,
    options: { agent, ...to, ...serverName(host) },
    headers: { host: url.host, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
  };
}

function tlsOptions(ca: string | undefined, host: HostTls = {}): AgentOptions {
  const { ca: own = [], onlyCa, certificate, serverName: name, insecure } = host;
  const more = [...(ca === undefined ? [] : [ca]), ...own];
  const all = more.length === 0 ? {} : { ca: [...tls().getCACertificates('default'), ...more] };
  return {
    ...(onlyCa === undefined ? all : { ca: onlyCa }),
    ...(certificate ? { cert: certificate.certificate, key: certificate.key } : {}),
    ...(name === undefined ? {} : { servername: name }),
    // Said in any case: left out, NODE_TLS_REJECT_UNAUTHORIZED decides.
    rejectUnauthorized: insecure !== true,
  };
}
