import type { RequestOptions } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { http, https, tls } from './node.ts';
import { type FindProxy, proxyAuthorization, serverName } from './proxy.ts';

/** How TLS is spoken with one host. */
export interface HostTls {
  /** PEM text of authorities to trust beside those of the system. */
  readonly ca?: readonly string[];
  /** PEM text of the certificate that shows who asks, and of its key. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Takes whatever certificate the host shows. */
  readonly insecure?: boolean;
}

/** How connections are made, beside what an address says. */
export interface Connections {
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
  readonly options: RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps connections, by where they lead. */
export interface Routes {
  to(url: URL): Promise<Route>;
  close(): void;
}

const settings = { keepAlive: true, maxFreeSockets: 8 };

/** Makes routes; nothing is connected to yet. */
export function createRoutes({ ca, tls, proxy: find }: Connections): Routes {
  const plain = new http.Agent(settings);
  const secure = new Map<string, Promise<SecureAgent>>();
  const agentOf = (key: string, make: () => Promise<SecureAgent>): Promise<SecureAgent> => {
    const known = secure.get(key) ?? make();
    secure.set(key, known);
    known.catch(() => secure.delete(key));
    return known;
  };
  const trust = async (host: string): Promise<object> => ({ ...settings, ...tlsOptions(ca, await tls?.(host)) });
  return {
    to: async (url) => {
      const proxy = find?.(url);
      if (url.protocol === 'https:') {
        const agent = await agentOf(`${proxy?.href} ${url.host}`, async () => {
          const options = await trust(url.host);
          if (!proxy) return new (https().Agent)(options);
          const { TunnelAgent } = await import('./tunnel.ts');
          return new TunnelAgent(proxy, options, await trust(proxy.host));
        });
        return { secure: true, proxy: undefined, options: { agent }, headers: {} };
      }
      if (!proxy) return { secure: false, proxy, options: { agent: plain }, headers: {} };
      // A proxy is asked for plain addresses by their whole URL (RFC 9112, 3.2.2).
      const authorization = proxyAuthorization(proxy);
      const over = proxy.protocol === 'https:';
      const agent = over ? await agentOf(proxy.href, async () => new (https().Agent)(await trust(proxy.host))) : plain;
      const path = `${url.origin}${url.pathname}${url.search}`;
      const { hostname, port } = proxy;
      const host = hostname.replace(/^\[|\]$/g, '');
      return {
        secure: over,
        proxy,
        options: {
          agent,
          hostname: host,
          host,
          port: port === '' ? (over ? 443 : 80) : port,
          path,
          ...serverName(host),
        },
        headers: { host: url.host, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
      };
    },
    close: () => {
      plain.destroy();
      for (const agent of secure.values()) {
        agent.then(
          (made) => made.destroy(),
          () => undefined,
        );
      }
    },
  };
}

function tlsOptions(ca: string | undefined, { ca: own = [], certificate, insecure }: HostTls = {}): object {
  const more = [...(ca === undefined ? [] : [ca]), ...own];
  return {
    ...(more.length === 0 ? {} : { ca: [...tls().getCACertificates('default'), ...more] }),
    ...(certificate ? { cert: certificate.certificate, key: certificate.key } : {}),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}
