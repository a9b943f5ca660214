import { BlockList, isIPv4 } from 'node:net';

/** What only the machine itself, or its own link, should reach: loopback, link-local, "this host" (RFC 6890). */
const inner = listOf(['127.0.0.0/8', '169.254.0.0/16', '0.0.0.0/8'], ['::/128', '::1/128', 'fe80::/10']);

/** Private networks (RFC 1918, RFC 4193), the one that carriers share (RFC 6598), and what came before (RFC 3879). */
const internal = listOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'], ['fc00::/7', 'fec0::/10']);

/** IPv6 addresses with an IPv4 address in them: the words before it. */
const wrappings: readonly (readonly number[])[] = [
  // Mapped and compatible (RFC 4291, 2.5.5), translated (RFC 2765), NAT64 (RFC 6052).
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0xffff, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
  // 6to4 (RFC 3056).
  [0x2002],
];

/**
 * Returns whether a host of a URL is the machine that asks, or something on its own link: by name, or by any form of
 * address.
 */
export function isInner(host: string): boolean {
  const name = withoutDot(host);
  return name === 'localhost' || name.endsWith('.localhost') || isIn(inner, host);
}

/** Tells the same of an address that was found for a name, in any form. */
export function isInnerAddress(address: string): boolean {
  return isInner(hostOfAddress(address));
}

function hostOfAddress(address: string): string {
  return isIPv4(address) ? address : new URL(`http://[${address.split('%')[0]}]`).hostname;
}

/** Returns whether an address that was found for a name is of a private network, in any form. */
export function isPrivateAddress(address: string): boolean {
  return isPrivate(hostOfAddress(address));
}

/** Returns whether a host of a URL is an address of a private network. */
export function isPrivate(host: string): boolean {
  return isIn(internal, host);
}

/** Returns whether a host of a URL is inside of some private network itself, by its name or its address. */
export function isWithin(host: string): boolean {
  return isInner(host) || isPrivate(host) || !/[.:]/.test(withoutDot(host));
}

/** Drops the dot at the end, which says that a name is whole (RFC 1034, 3.1), and changes nothing of where it leads. */
function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isIn(list: BlockList, host: string): boolean {
  if (isIPv4(host)) return list.check(host, 'ipv4');
  if (!host.startsWith('[')) return false;
  const address = host.slice(1, -1);
  const within = ipv4Of(wordsOf(address));
  return list.check(address, 'ipv6') || (within !== undefined && list.check(within, 'ipv4'));
}

/** Returns the IPv4 address in an IPv6 address. */
function ipv4Of(words: readonly number[]): string | undefined {
  const wrapping = wrappings.find((start) => start.every((word, at) => words[at] === word));
  if (!wrapping) return undefined;
  const [high, low] = words.slice(wrapping.length) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns the eight words of an IPv6 address as URLs have it: in hexadecimal, the longest zeros left out. */
function wordsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((word) => Number.parseInt(word, 16));
}

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [family, subnets] of Object.entries({ ipv4, ipv6 }) as ['ipv4' | 'ipv6', readonly string[]][]) {
    for (const [network = '', bits] of subnets.map((one) => one.split('/'))) {
      list.addSubnet(network, Number(bits), family);
    }
  }
  return list;
}
