import type { Flow } from '../flow.ts';
import { planSteps } from '../plan/make.ts';
import { runSteps } from '../plan/run.ts';
import type { Given } from '../plan/step.ts';
import { applied } from '../solutions/apply-step.ts';
import { readLoad } from './read.ts';
import type { Outcome } from './render.ts';
import { renderedTree } from './render-step.ts';
import type { LoadedComponent, LoadRequest, LoadResult } from './request.ts';
import { loadSteps } from './steps.ts';
import type { ComponentTree } from './tree.ts';

export type { LoadRequest, LoadResult } from './request.ts';

/**
 * Brings up a `components.d` tree as one Solution: reads it, probes all plugins, renders all components in byte order of
 * their folders, and then applies all of it at once; what an earlier load brought and this one has no longer is removed,
 * unless a component failed. Throws `usage-invalid`, `file-missing`, `file-unreadable`, `path-escapes`,
 * `component-invalid`, and what the component kinds and the target throw.
 */
export async function load(request: LoadRequest, flow: Flow): Promise<LoadResult> {
  const { read, means } = await readLoad(request, flow);
  const steps = planSteps(loadSteps, read);
  return runSteps(steps, { kinds: loadSteps, means }, flow, (given) => resultOf(given, request, read.tree));
}

function resultOf({ one }: Given, { folder }: LoadRequest, { skipped }: ComponentTree): LoadResult {
  const { solution, outcomes } = one(renderedTree);
  const { files, objects } = one(applied).solutions[0] ?? { files: [], objects: [] };
  const failure = outcomes.find((outcome) => outcome.failure)?.failure;
  const { name, version } = solution;
  return { name, version, folder, components: outcomes.map(componentOf), files, objects, skipped, failure };
}

function componentOf({ entry, objects, failure }: Outcome): LoadedComponent {
  const { name, folder, kind } = entry;
  const state = failure ? 'failed' : objects.length > 0 ? 'loaded' : 'empty';
  return { name, folder, kind, state, objects: objects.length, ...(failure ? { reason: failure.message } : {}) };
}
