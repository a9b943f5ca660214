import type { Machine } from '../setup/index.ts';
import { isOwnAddress } from './own-address.ts';
import type { DoctorPurpose } from './request.ts';
import type { MachineSettings } from './settings.ts';

/**
 * Returns what a machine is there for: an install where its profile has a cluster, a configuration or a way for images,
 * or where there is Kubernetes; serving besides, where that way is a `serve` of its own; packing otherwise.
 */
export function purposesOf(said: MachineSettings, { kubernetes }: Machine): DoctorPurpose[] {
  const isToInstall = said.kubeconfig !== undefined || said.configuration !== undefined || said.ways.length > 0;
  if (!isToInstall && kubernetes.distribution === 'none') return ['pack'];
  return isOwnAddress(said.serve) ? ['serve', 'install'] : ['install'];
}
