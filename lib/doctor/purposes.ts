import { networkInterfaces } from 'node:os';
import { isLoopback } from '../http/proxy.ts';
import type { Machine } from '../setup/machine.ts';
import type { DoctorPurpose } from './request.ts';
import { type MachineSettings, waysIn } from './settings.ts';

/**
 * Returns what a machine is there for: an install where its profile has a cluster, a configuration or a way for images, or where there
 * is Kubernetes; serving besides, where that way is a `serve` of its own; packing otherwise.
 */
export function purposesOf(said: MachineSettings, { kubernetes }: Machine): DoctorPurpose[] {
  const isToInstall = said.kubeconfig !== undefined || said.configuration !== undefined || waysIn(said).length > 0;
  if (!isToInstall && kubernetes.distribution === 'none') return ['pack'];
  return isOwnAddress(said.serve) ? ['serve', 'install'] : ['install'];
}

/** Tells whether an address leads to this machine; a name other than `localhost` does not. */
export function isOwnAddress(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(hostname) || host === '0.0.0.0' || host === '::') return true;
  return Object.values(networkInterfaces()).some((all = []) => all.some((one) => one.address === host));
}
