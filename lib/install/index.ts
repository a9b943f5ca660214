import { checkVariables } from '../components/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { planSteps } from '../plan/make.ts';
import { runSteps } from '../plan/run.ts';
import { redactedError, redactedFlow, redactor } from '../redaction.ts';
import { siteSecrets } from '../solutions/sites/inputs.ts';
import { GENERATIONS } from './generation-note.ts';
import { goBack } from './go-back.ts';
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
 * `site-invalid`, `verification-failed`, `image-missing`, `mirror-foreign`, `rolled-back`, and what delivering, rendering and applying throw.
 */
export async function install(
  request: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void> = async () => undefined,
): Promise<InstallResult> {
  checkVariables(request.variables);
  const since = Date.now();
  return lend(await readInstall(request, flow), async ({ read, means }) => {
    const kinds = installSteps(request.delivery);
    // Programs, charts and API servers tell what they were given: this is the one place where all that is told passes.
    const redact = redactor(siteSecrets(means.sites));
    try {
      return await runSteps(planSteps(kinds, read), { kinds, means }, redactedFlow(flow, redact), async (given) => {
        const result = resultOf(given, means, request, redact);
        if (request.delivery.endsWithInstall) {
          warn(request, means.facts !== undefined, flow);
          await hold(result);
        }
        return result;
      });
    } catch (error) {
      const { cluster, rollbackOnFailure, keepGenerations: keep = GENERATIONS } = request;
      const told = redactedError(error, redact);
      if (!rollbackOnFailure || cluster === undefined || !(told instanceof SolpackError)) throw told;
      const failed = { cluster, configuration: read.configuration, since, error: told, keep };
      throw await goBack(failed, redactedFlow(flow, redact));
    }
  });
}

/** Tells whose nodes will pull what they have to know of where the images are. */
function warn({ delivery: { warning }, hostsDir }: InstallRequest, hasCluster: boolean, flow: Flow): void {
  if (warning === undefined || (!hasCluster && hostsDir === undefined)) return;
  flow.onEvent({ type: 'notice', subject: 'registry', message: warning });
}
