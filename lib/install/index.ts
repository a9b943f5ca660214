import { checkVariables } from '../components/index.ts';
import { type Flow, lend } from '../flow.ts';
import { planSteps } from '../plan/make.ts';
import { runSteps } from '../plan/run.ts';
import { readInstall } from './read.ts';
import type { InstallRequest, InstallResult } from './request.ts';
import { resultOf } from './result.ts';
import { installSteps } from './steps/index.ts';

export type { ImageDelivery } from './delivery/delivery.ts';
export { type EmbeddedOptions, embeddedRegistry } from './delivery/embedded.ts';
export { pushedToRegistry } from './delivery/registry.ts';
export { runningServe } from './delivery/served.ts';
export type { InstallRequest, InstallResult, Trusting } from './request.ts';

/**
 * Installs what a SolutionsConfiguration names: reads it, its archives and the cluster, plans the steps from that, and runs
 * them. Archives are verified, components rendered, images delivered, mirrors written, objects applied, releases remembered.
 * Nothing is moved before all archives are verified, and all components rendered; only the layers that are pushed to a registry are hashed while they are
 * sent. `hold` is called at the end while a registry of the install itself
 * still serves. Throws `configuration-invalid`, `version-conflict`, `version-absent`, `not-trusted`,
 * `verification-failed`, `image-missing`, `mirror-foreign`, and what delivering, rendering and applying throw.
 */
export async function install(
  request: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void> = async () => undefined,
): Promise<InstallResult> {
  checkVariables(request.variables);
  return lend(await readInstall(request, flow), ({ read, means }) => {
    const kinds = installSteps(request.delivery);
    return runSteps(planSteps(kinds, read), { kinds, means }, flow, async (given) => {
      const result = resultOf(given, means.archives, request);
      if (request.delivery.endsWithInstall) {
        warn(request, means.facts !== undefined, flow);
        await hold(result);
      }
      return result;
    });
  });
}

/** Tells whose nodes will pull what they have to know of where the images are. */
function warn({ delivery: { warning }, hostsDir }: InstallRequest, hasCluster: boolean, flow: Flow): void {
  if (warning === undefined || (!hasCluster && hostsDir === undefined)) return;
  flow.onEvent({ type: 'notice', subject: 'registry', message: warning });
}
