import type { StepKind, Work } from '../../../kernel/plan/index.ts';
import { inApplyOrder } from '../../../shared/rendering/index.ts';
import { applyStep } from '../../../shared/solutions/clusters/index.ts';
import { delivered, type ImageDelivery } from '../delivery/index.ts';
import { generationNote } from '../generation-note.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { mirrored, named, verifiedArchive } from '../products.ts';
import { checkSitesStep } from './check-sites.ts';
import { mirrorStep, retireMirrorsStep } from './mirror.ts';
import { nameImagesStep } from './name-images.ts';
import { preflightStep } from './preflight.ts';
import { rememberStep } from './remember.ts';
import { renderStep } from './render.ts';
import { surveyStep } from './survey.ts';
import { verifyStep } from './verify.ts';

export {
  /** Writes the mirrors that let nodes pull by the names that images have anyway. */
  mirrorStep,
} from './mirror.ts';
export {
  /** Renders all components of all archives, and makes sure that they bring and use what they may. */
  renderStep,
} from './render.ts';
export {
  /** Makes sure that an archive is what its root says, and who has signed it. */
  verifyStep,
} from './verify.ts';

/** Lists the kinds of steps of an install, in the order in which they are done. */
export function installSteps({
  steps: deliver,
  afterwards = [],
}: ImageDelivery): readonly StepKind<InstallRead, InstallMeans>[] {
  return [
    verifyStep,
    checkSitesStep,
    surveyStep,
    renderStep,
    preflightStep,
    ...deliver,
    nameImagesStep,
    mirrorStep,
    applyStep(
      named,
      (given, configuration, work: Work<InstallMeans>) => {
        const solutions = inApplyOrder(given.solutions, work.means.facts);
        const generation = generationNote({ ...given, solutions }, work);
        return { configuration, solutions, generation, exposes: work.means.exposes };
      },
      [mirrored, delivered, verifiedArchive],
    ),
    rememberStep,
    retireMirrorsStep,
    ...afterwards,
  ];
}
