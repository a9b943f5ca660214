import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import { type Flow, redactedError, SolpackError } from '../../kernel/events/index.ts';
import { runSteps } from '../../kernel/plan/index.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import { renderableArchive, withMigrationsBack } from '../../shared/rendering/index.ts';
import { agreedActions } from './agreed.ts';
import { type FailedApply, generationWords, goBack, goBackAfter, leftByApply } from './go-back.ts';
import { withPlan } from './planned-install.ts';
import { GENERATIONS } from './remembered-generations.ts';
import type { InstallRequest, InstallResult, Interruption } from './request.ts';
import { resultOf } from './result.ts';
import { saltOf } from './seal.ts';
import { type SettledInstall, settled } from './settled.ts';

export type { InstallPlan } from '../../../formats/solution/install-plan.ts';
export {
  /** Finds the archives that the inputs of a step name by their roots, in that order. */
  archivesOf,
  /** An archive as plans are made from it: what was read when it was opened. */
  type ReadArchive,
  /** Lists the roots of archives, by which the inputs of steps name them. */
  rootsOf,
} from './archives.ts';
export type { ImageDelivery } from './delivery/index.ts';
export {
  alsoListed,
  /** What it took to have the images of archives in a registry. */
  type Delivered,
  type DeliveryMeans,
  /** A kind of step that a delivery takes. */
  type DeliveryStep,
  /** Given once a registry has the images. */
  delivered,
  type EmbeddedOptions,
  embeddedRegistry,
  /** Puts the images of one Solution into a place of this machine, whichever way those of all are delivered. */
  keptOnThisNode,
  /** A tag of a registry that named another manifest before. */
  type MovedTag,
  onThisNode,
  /** What a push took. */
  type Pushed,
  pushedToRegistry,
  runningServe,
} from './delivery/index.ts';
export {
  /** Puts a plan together. */
  installPlanOf,
} from './install-plan.ts';
export {
  /** Deals with images that components use and no archive holds: where there is no network, nobody can pull them. */
  requireImages,
} from './missing-images.ts';
export type {
  /** What the steps of an install work with, and no plan holds. */
  InstallMeans,
  /** What an install is planned from: what was asked for, and what was read. */
  InstallRead,
} from './plan-types.ts';
export type { Allowance } from './preflight/index.ts';
export {
  /** Given once nothing known is in the way: from then on something is changed. */
  cleared,
  /** Given once nodes pull from where the images are. */
  mirrored,
  /** Given once an archive was verified, and is trusted as far as that is asked for. */
  verifiedArchive,
} from './products.ts';
export {
  /** Gives the names by which nodes pull images, always with a digest. */
  pullNames,
} from './pull-names.ts';
export type {
  InstallAgreement,
  /** An image that nodes can pull. */
  InstalledImage,
  /** What the site sets for a Solution. */
  InstalledSite,
  /** One Solution that is active after an install. */
  InstalledSolution,
  InstallRequest,
  InstallResult,
  Interruption,
} from './request.ts';
export {
  /** Writes the mirrors that let nodes pull by the names that images have anyway. */
  mirrorStep,
  /** Makes sure that an archive is what its root says, and who has signed it. */
  verifyStep,
} from './steps/index.ts';
export type { Trusting } from './trusting.ts';

/**
 * Installs what a SolutionsConfiguration names: reads it, its archives and the cluster, plans the steps from that, and
 * runs them. Archives are verified, components rendered, images delivered, mirrors written, objects applied, releases
 * remembered. Nothing is moved before all archives are verified and all components rendered; only layers that are
 * pushed to a registry are hashed while they are sent. `hold` is called at the end while a registry of the install
 * itself still serves. With a confirmed plan, everything is foreseen once more, and the install is refused if it would
 * do anything else. Throws `configuration-invalid`, `version-conflict`, `version-absent`, `archive-gone`,
 * `not-trusted`, `site-invalid`, `verification-failed`, `image-missing`, `mirror-foreign`, `plan-invalid`,
 * `plan-outdated`, `removal-unnamed`, `rolled-back`, and what delivering, rendering and applying throw.
 */
export async function install(
  asked: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void> = async () => undefined,
): Promise<InstallResult> {
  const request = settled(asked);
  for (;;) {
    const { result, left } = await installOnce(request, flow, hold);
    if (left === 0 || request.confirmed !== undefined) return result;
  }
}

/** One install, and how many come after it. */
async function installOnce(
  request: SettledInstall,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void>,
): Promise<{ readonly result: InstallResult; readonly left: number }> {
  const since = Date.now();
  const { interruption } = request;
  const ending = interruption ? AbortSignal.any([flow.signal, interruption.signal]) : flow.signal;
  return withPlan(request, { ...flow, signal: ending }, async (planned, redacting) => {
    const { reading, steps, kinds, redact } = planned;
    const { read, means } = reading;
    const agreed = await agreedActions(request, read, planned.foresee);
    const { cluster, rollbackOnFailure, keepGenerations: keep = GENERATIONS } = request;
    try {
      const { left } = reading;
      const begin = request.agreement?.begin;
      return await runSteps(steps, { kinds, means, begin, ...agreed }, redacting, async (given) => {
        const result = resultOf(given, means, request, redact);
        if (request.delivery.endsWithInstall && left === 0) {
          warn(request, means.facts !== undefined, flow);
          await hold(result);
        }
        return { result, left };
      });
    } catch (failure) {
      const error = redactedError(failure, redact);
      if (cluster === undefined) throw error;
      const own = { ...redacting, signal: flow.signal };
      const { archives, facts, variables } = means;
      const migrate = (solutions: readonly RenderedSolution[]): Promise<readonly RenderedSolution[]> =>
        withMigrationsBack(
          solutions,
          archives.map(renderableArchive),
          { target: cluster, cluster: facts, variables },
          own,
        );
      const failed = { cluster, configuration: read.configuration, since, trust: request.trust, keep, migrate };
      if (interruption?.signal.aborted) throw await endedBy(interruption, failed, error, own);
      if (!rollbackOnFailure || !(error instanceof SolpackError)) throw error;
      throw await goBackAfter({ ...failed, error }, own);
    }
  });
}

/** Asks what becomes of what was interrupted, and does that. Returns the error to end with. */
async function endedBy(
  interruption: Interruption,
  failed: Omit<FailedApply, 'error'>,
  error: unknown,
  flow: Flow,
): Promise<unknown> {
  const left = flow.signal.aborted ? undefined : await leftByApply(failed, flow);
  if (left?.before === undefined) return error;
  const { present, before } = left;
  if (!(await interruption.goesBack(generationWords(present), generationWords(before)))) return error;
  return goBack({ ...failed, error: undefined }, { present, before }, flow);
}

/**
 * Finds out what `install` would do, and does nothing: no registry, no cluster and no file is changed. It goes through
 * the same steps, and each returns what it would do, with the functions by which it decides. `like` is a plan that was
 * made before: where nothing has changed since, the seal is the same. Throws what would refuse the install.
 */
export async function foreseeInstall(
  request: InstallRequest,
  flow: Flow,
  like?: Pick<InstallPlan, 'seal'>,
): Promise<InstallPlan> {
  const salt = like === undefined ? undefined : saltOf(like.seal);
  return withPlan(settled(request), flow, async ({ foresee }) => (await foresee(salt)).plan);
}

/** Tells whose nodes will pull what they have to know of where the images are. */
function warn({ delivery: { warning }, hostsDir }: InstallRequest, hasCluster: boolean, flow: Flow): void {
  if (warning === undefined || (!hasCluster && hostsDir === undefined)) return;
  flow.onEvent({ type: 'notice', subject: 'registry', message: warning });
}
