import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../kernel/http/index.ts';
import type { MachineSettings } from './settings.ts';

/** Returns whether an address leads to this machine; a name other than `localhost` does not. */
export function isOwnAddress(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(hostname) || host === '0.0.0.0' || host === '::') return true;
  return Object.values(networkInterfaces()).some((all = []) => all.some((one) => one.address === host));
}

/**
 * Returns the address that images are pushed to or pulled from; undefined where that is only this machine's, without
 * TLS.
 */
export function registryOf({ serve, registry }: MachineSettings): string | undefined {
  return registry ?? (isOwnAddress(serve) && serve?.startsWith('http:') ? undefined : serve);
}
