import * as fs from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { type DefaultRoute, defaultRoutes, defaultRoutes6 } from '../../../../formats/routes.ts';
import type { SourcedValue } from '../../../parts/clusters/index.ts';

/** What a machine reports itself; what it does not tell is left out. */
export interface MachineReport {
  readonly name?: SourcedValue;
  readonly address?: SourcedValue;
  readonly domain?: SourcedValue;
}

/** An address of an interface, as Node.js lists it. */
interface Address {
  readonly address: string;
  readonly family: string;
  readonly internal: boolean;
}

/** Where Linux tells its routes. */
const tables = [
  { path: '/proc/net/route', parse: defaultRoutes, family: 'IPv4' },
  { path: '/proc/net/ipv6_route', parse: defaultRoutes6, family: 'IPv6' },
] as const;

/** Reads what this machine reports itself: its name, as kubelet takes it, and the address of its default route. */
export async function machineReport(): Promise<MachineReport> {
  const name = hostname().trim().toLowerCase();
  const domain = name.slice(name.indexOf('.') + 1);
  const address = await addressOf();
  return {
    ...(name === '' ? {} : { name: { value: name, from: 'hostname' } }),
    ...(name.includes('.') && domain !== '' ? { domain: { value: domain, from: 'domain of the hostname' } } : {}),
    ...(address && { address }),
  };
}

async function addressOf(): Promise<SourcedValue | undefined> {
  for (const { path, parse, family } of tables) {
    const text = await fs.readFile(path, 'latin1').catch(() => '');
    const found = addressOn(parse(text), networkInterfaces(), family);
    if (found) return { value: found.address, from: `default route, by ${found.device}` };
  }
  return undefined;
}

/**
 * Finds the address of the first of these routes whose interface has one of that family that other machines can reach.
 */
export function addressOn(
  routes: readonly DefaultRoute[],
  interfaces: Readonly<Record<string, readonly Address[] | undefined>>,
  family: string,
): { readonly address: string; readonly device: string } | undefined {
  for (const { device } of routes) {
    const found = interfaces[device]?.find((one) => {
      // An address of a link alone says nothing without its interface (RFC 4007).
      return one.family === family && !one.internal && !/^fe[89ab]/i.test(one.address);
    });
    if (found) return { address: found.address, device };
  }
  return undefined;
}
