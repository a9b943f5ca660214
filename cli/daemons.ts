import type { Daemons } from '../lib/index.ts';
import type { Io } from './io.ts';

/** Returns the addresses of this machine's daemons, by the environment. */
export function daemons({ env }: Io): Daemons {
  return {
    containerd: { address: env['CONTAINERD_ADDRESS'], namespace: env['CONTAINERD_NAMESPACE'] },
    docker: env['DOCKER_HOST'] || undefined,
  };
}
