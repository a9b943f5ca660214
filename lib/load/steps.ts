import type { StepKind } from '../plan/step.ts';
import { type ApplyMeans, type ApplyRead, applyStep } from '../solutions/apply-step.ts';
import { type LoadRead, type RenderTreeMeans, renderedTree, renderTreeStep } from './render-step.ts';

/** The kinds of steps of a load, in the order in which they are done. */
export const loadSteps: readonly StepKind<LoadRead & ApplyRead, RenderTreeMeans & ApplyMeans>[] = [
  renderTreeStep,
  applyStep(renderedTree, ({ solution, outcomes }, configuration) => ({
    configuration,
    solutions: [solution],
    // What a failed component brought before is still wanted.
    prune: outcomes.every(({ failure }) => failure === undefined),
  })),
];
