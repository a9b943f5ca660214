import { BlockList, isIP } from 'node:net';

/** The proxy that leads to an address; undefined if it is reached directly. */
export type FindProxy = (url: URL) => URL | undefined;

/** The proxies of the environment, by the usual names of variables. */
export interface ProxySettings {
  /** For http:// addresses. */
  readonly http?: string | undefined;
  /** For https:// addresses. */
  readonly https?: string | undefined;
  /**
   * Hosts that are reached directly, by commas: a name stands for itself and what is below it, and so do `*`, IP/BITS
   * and HOST:PORT.
   */
  readonly no?: string | undefined;
}

/**
 * Decides by `settings` which proxy leads to an address, as Go's programs do, and with them skopeo, oras and crane: a
 * proxy without a scheme is an http:// one, and this machine itself is never asked for through a proxy. Returns what is
 * wrong with a setting as its message.
 */
export function proxiesOf(settings: ProxySettings): FindProxy | string {
  const read = (value: string | undefined): URL | undefined | string => {
    if (value === undefined || value.trim() === '') return undefined;
    const spelled = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (!URL.canParse(spelled)) return 'is not the address of a proxy';
    const url = new URL(spelled);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : `is a proxy of the kind ${url.protocol}//`;
  };
  const http = read(settings.http);
  const https = read(settings.https);
  if (typeof http === 'string') return `HTTP_PROXY ${http}`;
  if (typeof https === 'string') return `HTTPS_PROXY ${https}`;
  const direct = exceptions(settings.no ?? '');
  return (url) => {
    const proxy = url.protocol === 'https:' ? https : http;
    return proxy === undefined || isLoopback(url.hostname) || direct(url) ? undefined : proxy;
  };
}

/** Returns whether a proxy speaks SOCKS (RFC 1928), which carries any connection. */
export function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks');
}

/**
 * Returns the name that a proxy's certificate has to be for: that of the proxy, where Node.js would take the one in
 * `Host`.
 */
export function serverName(host: string): { servername: string } {
  // TLS knows no addresses there; the certificate is checked against the host that is connected to.
  return { servername: isIP(host) === 0 ? host : '' };
}

function exceptions(list: string): (url: URL) => boolean {
  const networks = new BlockList();
  const names: { host: string; port: string; below: boolean }[] = [];
  let all = false;
  for (const entry of list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)) {
    const [, address, bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
    const single = entry.replace(/^\[|\]$/g, '');
    const family = isIP(address ?? single);
    if (entry === '*') all = true;
    else if (address !== undefined) {
      if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) continue;
      networks.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    } else if (family !== 0) networks.addAddress(single, family === 4 ? 'ipv4' : 'ipv6');
    else {
      const [, host, port = ''] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      // ".example.com" and "*.example.com" are what is below, and not the name itself.
      const below = /^\*?\./.test(host!);
      names.push({ host: host!.replace(/^\*?\./, '').replace(/^\[|\]$/g, ''), port, below });
    }
  }
  return ({ hostname, port, protocol }) => {
    const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
    const own = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
    const family = isIP(host);
    if (all || (family !== 0 && networks.check(host, family === 4 ? 'ipv4' : 'ipv6'))) return true;
    return names.some((name) => {
      const same = (host === name.host && !name.below) || host.endsWith(`.${name.host}`);
      return same && (name.port === '' || name.port === own);
    });
  };
}

/** Returns whether a host is this machine itself, by its name. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
