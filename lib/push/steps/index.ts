import type { StepKind } from '../../plan/step.ts';
import type { PushMeans, PushRead } from '../plan-types.ts';
import { attachBundles } from './bundles.ts';
import { pushContent } from './content.ts';
import { expand } from './expand.ts';
import { tagRoot } from './tag.ts';

/** The kinds of steps of a push, in the order in which they are done. */
export const pushSteps: readonly StepKind<PushRead, PushMeans>[] = [pushContent, attachBundles, tagRoot, expand];
