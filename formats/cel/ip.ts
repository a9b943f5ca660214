import { CelError } from './budget.ts';
import type { CelFunction, CelFunctions } from './function.ts';
import { CelCidr, CelIp, CelType, type CelValue } from './values.ts';

const bits = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** Reads an address as Kubernetes' CEL does: without a zone, and no IPv4 address within an IPv6 one. */
function readIp(text: string): CelIp | undefined {
  const four = readIpv4(text);
  if (four !== undefined) return new CelIp(4, four);
  const six = readIpv6(text);
  return six === undefined || six >> 32n === 0xffffn ? undefined : new CelIp(6, six);
}

function readIpv4(text: string): bigint | undefined {
  const parts = text.split('.', 5);
  const isSound = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isSound ? parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) : undefined;
}

function readIpv6(text: string): bigint | undefined {
  const halves = text.slice(0, 64).split('::', 3);
  if (halves.length > 2 || !text.includes(':')) return undefined;
  const [before, after] = halves.map((half, at) => groupsOf(half, at === halves.length - 1));
  if (before === undefined || (halves.length === 2 && after === undefined)) return undefined;
  const missing = 8 - before.length - (after?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...before, ...new Array<bigint>(missing).fill(0n), ...(after ?? [])];
  return groups.reduce((sum, group) => (sum << 16n) + group, 0n);
}

/** Reads the groups of a half of an address; the last one may be written as an IPv4 address. */
function groupsOf(half: string, isLast: boolean): readonly bigint[] | undefined {
  if (half === '') return [];
  const groups: bigint[] = [];
  const words = half.split(':');
  for (const [at, word] of words.entries()) {
    const four = isLast && at === words.length - 1 ? readIpv4(word) : undefined;
    if (four !== undefined) groups.push(four >> 16n, four & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(word)) groups.push(BigInt(`0x${word}`));
    else return undefined;
  }
  return groups;
}

/** Writes an address in its one canonical form (RFC 5952). */
export function ipText({ family, value }: CelIp): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  let [from, length] = [0, 1];
  for (let at = 0; at < 8; at += 1) {
    let end = at;
    while (groups[end] === '0') end += 1;
    if (end - at > length) [from, length] = [at, end - at];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, from).join(':')}::${groups.slice(from + length).join(':')}`;
}

/** Reads a range such as `10.0.0.0/8`. */
function readCidr(text: string): CelCidr | undefined {
  const [, address = '', length = ''] = /^([^/]{1,64})\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const ip = readIp(address);
  return ip === undefined || Number(length) > bits(ip.family) ? undefined : new CelCidr(ip, Number(length));
}

function start({ family, value }: CelIp, length: number): bigint {
  const rest = BigInt(bits(family) - length);
  return (value >> rest) << rest;
}

function holdsIp({ ip, length }: CelCidr, other: CelIp): boolean {
  return ip.family === other.family && start(other, length) === start(ip, length);
}

function ofIp(name: string, result: string, tell: (ip: CelIp) => CelValue): CelFunctions {
  const apply: CelFunction['apply'] = ([one]) => (one instanceof CelIp ? tell(one) : undefined);
  return { [`.${name}`]: { signatures: [`net.IP.${name}(): ${result}`], apply } };
}

/** Returns the first bits of an address. */
function leading(ip: CelIp, count: number): bigint {
  return ip.value >> BigInt(bits(ip.family) - count);
}

const isUnspecified = ({ value }: CelIp): boolean => value === 0n;
const isLoopback = (ip: CelIp): boolean => (ip.family === 4 ? leading(ip, 8) === 127n : ip.value === 1n);
const isMulticast = (ip: CelIp): boolean => (ip.family === 4 ? leading(ip, 4) === 0xen : leading(ip, 8) === 0xffn);
const isLinkLocalMulticast = (ip: CelIp): boolean =>
  ip.family === 4 ? leading(ip, 24) === 0xe00000n : (leading(ip, 16) & 0xff0fn) === 0xff02n;
const isLinkLocalUnicast = (ip: CelIp): boolean =>
  ip.family === 4 ? leading(ip, 16) === 0xa9fen : leading(ip, 10) === 0x3fan;
const isGlobalUnicast = (ip: CelIp): boolean =>
  !isUnspecified(ip) &&
  !(ip.family === 4 && ip.value === 0xffffffffn) &&
  ![isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(ip));

function made<T extends CelIp | CelCidr>(read: (text: string) => T | undefined, what: string): CelFunction['apply'] {
  return ([one]) => {
    if (typeof one !== 'string') return undefined;
    const known = read(one);
    if (known === undefined) throw new CelError(`"${one.slice(0, 64)}" is no ${what}`);
    return known;
  };
}

function within(
  given: readonly CelValue[],
  decide: (range: CelCidr, text: CelIp | CelCidr) => boolean,
): boolean | undefined {
  const [range, other] = given;
  if (!(range instanceof CelCidr)) return undefined;
  if (typeof other !== 'string')
    return other instanceof CelIp || other instanceof CelCidr ? decide(range, other) : undefined;
  const known = readCidr(other) ?? readIp(other);
  if (known === undefined) throw new CelError(`"${other.slice(0, 64)}" is not an address and no range`);
  return decide(range, known);
}

const ofIps: CelFunctions = {
  ip: { signatures: ['ip(string): net.IP'], apply: made(readIp, 'IP address') },
  isIP: {
    signatures: ['isIP(string): bool'],
    apply: ([one]) => (typeof one === 'string' ? readIp(one) !== undefined : undefined),
  },
  '.isCanonical': {
    signatures: ['solpack.ip.isCanonical(string): bool'],
    apply: ([receiver, one], budget) => {
      if (!(receiver instanceof CelType) || receiver.name !== 'ip' || typeof one !== 'string') return undefined;
      const known = made(readIp, 'IP address')([one], budget);
      return known instanceof CelIp && ipText(known) === one;
    },
  },
  ...ofIp('family', 'int', ({ family }) => BigInt(family)),
  ...ofIp('isUnspecified', 'bool', isUnspecified),
  ...ofIp('isLoopback', 'bool', isLoopback),
  ...ofIp('isLinkLocalMulticast', 'bool', isLinkLocalMulticast),
  ...ofIp('isLinkLocalUnicast', 'bool', isLinkLocalUnicast),
  ...ofIp('isGlobalUnicast', 'bool', isGlobalUnicast),
};

const ofRanges: CelFunctions = {
  cidr: { signatures: ['cidr(string): net.CIDR'], apply: made(readCidr, 'range of IP addresses') },
  isCIDR: {
    signatures: ['isCIDR(string): bool'],
    apply: ([one]) => (typeof one === 'string' ? readCidr(one) !== undefined : undefined),
  },
  '.containsIP': {
    signatures: ['net.CIDR.containsIP(net.IP): bool', 'net.CIDR.containsIP(string): bool'],
    apply: (given) =>
      within(given, (range, other) => {
        if (other instanceof CelIp) return holdsIp(range, other);
        throw new CelError('a range is not an IP address');
      }),
  },
  '.containsCIDR': {
    signatures: ['net.CIDR.containsCIDR(net.CIDR): bool', 'net.CIDR.containsCIDR(string): bool'],
    apply: (given) =>
      within(given, (range, other) => {
        if (other instanceof CelIp) throw new CelError('an IP address is not a range');
        return other.length >= range.length && holdsIp(range, other.ip);
      }),
  },
  '.ip': {
    signatures: ['net.CIDR.ip(): net.IP'],
    apply: ([one]) => (one instanceof CelCidr ? one.ip : undefined),
  },
  '.masked': {
    signatures: ['net.CIDR.masked(): net.CIDR'],
    apply: ([one]) =>
      one instanceof CelCidr ? new CelCidr(new CelIp(one.ip.family, start(one.ip, one.length)), one.length) : undefined,
  },
  '.prefixLength': {
    signatures: ['net.CIDR.prefixLength(): int'],
    apply: ([one]) => (one instanceof CelCidr ? BigInt(one.length) : undefined),
  },
};

/**
 * Functions of IP addresses and their ranges (k8s.io/apiserver, "Kubernetes IP address library", "Kubernetes CIDR
 * library").
 */
export const addresses: CelFunctions = { ...ofIps, ...ofRanges };

/** Writes a range. */
export function cidrText({ ip, length }: CelCidr): string {
  return `${ipText(ip)}/${length}`;
}
