import type { Product, StepKind } from '../../kernel/plan/index.ts';
import type { ClusterTarget } from '../../parts/clusters/index.ts';
import { type ApplyMeans, type ApplyRead, applyStep } from '../../shared/solutions/clusters/index.ts';
import {
  type DeliveryMeans,
  delivered,
  type ImageDelivery,
  type InstallMeans,
  type InstallRead,
  mirrored,
  mirrorStep,
  verifiedArchive,
  verifyStep,
} from '../install/index.ts';
import { checkImagesStep, nameTreeStep, pinnedTree } from './images/index.ts';
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
