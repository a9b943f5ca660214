import type { Flow } from '../flow.ts';
import {
  foreseeInstall,
  type InstallPlan,
  type InstallRequest,
  type InstallResult,
  install,
} from '../install/index.ts';
import { seededRegistry } from './delivery.ts';
import type { SeedRequest } from './request.ts';

/**
 * Hands all images of a configuration over to a registry that one of its Solutions has brought up in the cluster, so that the
 * `solpack serve` by which it came can end: an install whose images go there. The registry is waited for, its own images are
 * pinned on this node, all images are pushed, and only then the mirrors name it. Throws what `install` throws, and
 * `solution-unknown`, `registry-unreachable`, `image-missing`, `tool-missing`, `tool-failed`.
 */
export function seed(request: SeedRequest, flow: Flow): Promise<InstallResult> {
  return install(installOf(request), flow);
}

/** Finds out what `seed` would do, and does nothing but to wait for the registry. Throws what would refuse it. */
export function foreseeSeed(request: SeedRequest, flow: Flow): Promise<InstallPlan> {
  return foreseeInstall(installOf(request), flow);
}

function installOf({ registry, ...request }: SeedRequest): InstallRequest {
  return { ...request, delivery: seededRegistry(registry) };
}
