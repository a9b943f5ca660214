import type { Product, StepKind } from '../../kernel/plan/step.ts';
import type { ClusterTarget } from '../../parts/clusters/kind.ts';
import { type ApplyMeans, type ApplyRead, applyStep } from '../../shared/solutions/clusters/apply-step.ts';
import type { DeliveryMeans } from '../install/delivery/delivery.ts';
import { delivered, type ImageDelivery } from '../install/delivery/delivery.ts';
import type { InstallMeans, InstallRead } from '../install/plan-types.ts';
import { mirrored, verifiedArchive } from '../install/products.ts';
import { mirrorStep } from '../install/steps/mirror.ts';
import { verifyStep } from '../install/steps/verify.ts';
import { checkImagesStep } from './images/check-step.ts';
import { nameTreeStep, pinnedTree } from './images/name-step.ts';
import { type LoadRead, type RenderedTree, type RenderTreeMeans, renderedTree, renderTreeStep } from './render-step.ts';

/** What the steps of a load are planned from: with images, also their archives. */
export type LoadPlanRead = LoadRead &
  ApplyRead &
  Pick<InstallRead, 'archives' | 'trust' | 'delivery' | 'hostsDir' | 'configuration'> & {
    readonly allowMissing: boolean;
  };

/** What they are run with. */
export type LoadMeans = RenderTreeMeans &
  ApplyMeans &
  DeliveryMeans &
  Pick<InstallMeans, 'trust' | 'delivery'> & { readonly cluster: ClusterTarget };

/**
 * Lists the kinds of steps of a load, in the order in which they are done. With a `delivery`, there are archives with
 * images: what the trees use has to be in them.
 */
export function loadSteps(
  delivery: ImageDelivery | undefined,
  hostsDir?: string,
): readonly StepKind<LoadPlanRead, LoadMeans>[] {
  if (delivery === undefined) return [renderTreeStep, applying(renderedTree)];
  return [
    verifyStep,
    renderTreeStep,
    checkImagesStep,
    ...delivery.steps,
    nameTreeStep,
    ...(hostsDir === undefined ? [] : [mirrorStep]),
    applying(pinnedTree, [mirrored, delivered, verifiedArchive]),
  ];
}

function applying(
  given: Product<RenderedTree>,
  after: readonly Product<unknown>[] = [],
): StepKind<LoadPlanRead, LoadMeans> {
  return applyStep<RenderedTree, LoadMeans>(
    given,
    ({ solution, outcomes }, configuration) => ({
      configuration,
      solutions: [solution],
      // What a failed component brought before is still wanted.
      prune: outcomes.every(({ failure }) => failure === undefined),
    }),
    after,
  );
}
