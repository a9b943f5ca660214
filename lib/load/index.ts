import type { Flow } from '../flow.ts';
import { planSteps } from '../plan/make.ts';
import { runSteps } from '../plan/run.ts';
import type { Given } from '../plan/step.ts';
import { applied } from '../solutions/apply-step.ts';
import { readLoad } from './read.ts';
import type { Outcome } from './render.ts';
import { type LoadRead, renderedTree } from './render-step.ts';
import type { LoadedComponent, LoadRequest, LoadResult } from './request.ts';
import { loadSteps } from './steps.ts';

export type { LoadRequest, LoadResult } from './request.ts';

/**
 * Brings up `components.d` trees as one Solution: reads them, probes all plugins, renders all components in byte order of
 * their folders, tree after tree, and then applies all of it at once; what an earlier load brought and this one has no longer is removed,
 * unless a component failed. Throws `usage-invalid`, `file-missing`, `file-unreadable`, `path-escapes`,
 * `component-invalid`, and what the component kinds and the target throw.
 */
export async function load(request: LoadRequest, flow: Flow): Promise<LoadResult> {
  const { read, means } = await readLoad(request, flow);
  const steps = planSteps(loadSteps, read);
  return runSteps(steps, { kinds: loadSteps, means }, flow, (given) => resultOf(given, request, read));
}

function resultOf({ one }: Given, { folders }: LoadRequest, { trees, told: variables }: LoadRead): LoadResult {
  const { solution, outcomes } = one(renderedTree);
  const { files, objects } = one(applied).solutions[0] ?? { files: [], objects: [] };
  const failure = outcomes.find((outcome) => outcome.failure)?.failure;
  const { name, version } = solution;
  const [folder = ''] = folders;
  const components = outcomes.map(componentOf);
  const skipped = trees.flatMap((tree) => tree.skipped);
  return { name, version, folder, folders, variables, components, files, objects, skipped, failure };
}

function componentOf({ entry, objects, failure }: Outcome): LoadedComponent {
  const { name, folder, kind } = entry;
  const state = failure ? 'failed' : objects.length > 0 ? 'loaded' : 'empty';
  return { name, folder, kind, state, objects: objects.length, ...(failure ? { reason: failure.message } : {}) };
}
