/** The steps of a push. */

import type { StepKind } from '../../../kernel/plan/index.ts';
import type { PushMeans, PushRead } from '../plan-types.ts';
import { attachStep } from './bundles.ts';
import { pushContentStep } from './content.ts';
import { expandStep } from './expand.ts';
import { tagStep } from './tag.ts';

/** The kinds of steps of a push, in the order in which they are done. */
export const pushSteps: readonly StepKind<PushRead, PushMeans>[] = [pushContentStep, attachStep, tagStep, expandStep];
