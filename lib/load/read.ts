import { checkVariables } from '../components/index.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { ApplyMeans, ApplyRead } from '../solutions/apply-step.ts';
import { readCluster } from '../solutions/read-cluster.ts';
import { solutionName } from './names.ts';
import type { LoadRead, RenderTreeMeans } from './render-step.ts';
import type { LoadRequest } from './request.ts';
import { readTree } from './tree.ts';

/** What a load needs to know before anything is changed, and what it works with. */
export interface LoadReading {
  readonly read: LoadRead & ApplyRead;
  readonly means: RenderTreeMeans & ApplyMeans;
}

/**
 * Reads a tree, and asks the cluster what it is like. Throws `usage-invalid`, `component-invalid`, and what reading and
 * asking throw.
 */
export async function readLoad(request: LoadRequest, flow: Flow): Promise<LoadReading> {
  const { folder, allowEmpty } = request;
  const solution = solutionName(folder, request.name);
  checkVariables(request.variables);
  flow.onEvent({ type: 'step', step: 'read', subject: folder });
  const tree = await readTree(folder, flow.onEvent);
  if (tree.entries.length === 0 && !allowEmpty) {
    throw new SolpackError('component-invalid', folder, 'holds no component', {
      hint: 'is it the right folder? To have all removed that an earlier load brought, give --allow-empty',
    });
  }
  const cluster = await readCluster(request.cluster, flow);
  return {
    read: { ...request, solution, configuration: `load/${solution}`, tree, cluster },
    means: { tree, variables: request.variables, facts: cluster.facts, cluster: request.cluster },
  };
}
