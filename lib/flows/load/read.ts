import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type ComponentTree, checkVariables, readTree } from '../../parts/components/index.ts';
import { awaitCluster, readCluster } from '../../shared/solutions/clusters/index.ts';
import { valuesOf, variablesFor } from '../../shared/solutions/node-variables/index.ts';
import { noDelivery } from './image-request.ts';
import { closeArchives, openImageArchives } from './images/index.ts';
import type { LoadRequest } from './request.ts';
import { solutionName } from './solution-name.ts';
import type { LoadMeans, LoadPlanRead } from './steps.ts';

/** What a load needs to know before anything is changed, and what it works with. */
export interface LoadReading extends AsyncDisposable {
  readonly read: LoadPlanRead;
  readonly means: LoadMeans;
}

/**
 * Reads trees, waits for the cluster where that is asked for, asks it what it is like, and opens archives. Throws
 * `usage-invalid`, `component-invalid`, and what reading, waiting and asking throw.
 */
export async function readLoad(request: LoadRequest, flow: Flow): Promise<LoadReading> {
  const { waitForCluster, cluster: target } = request;
  const solution = solutionName(request.folders[0] ?? '', request.name);
  checkVariables(request.variables);
  const trees = await readTrees(request, flow);
  if (waitForCluster !== undefined) await awaitCluster(target, waitForCluster, flow);
  const cluster = await readCluster(target, flow);
  const configuration = `load/${solution}`;
  const isThere = cluster.inventory.some((one) => one.configuration === configuration && one.state !== 'removed');
  if (isThere && !request.allowEmpty) await requireNoneEmptied(trees);
  const entries = trees.flatMap((tree) => tree.entries);
  const nodeVariables = entries.some(({ kind }) => kind === 'plugin')
    ? await variablesFor(request.variables, target, flow)
    : [];
  const variables = valuesOf(nodeVariables);
  const { trust = 'skip', delivery = noDelivery, hostsDir, allowMissing = false } = request.images ?? {};
  const archives = request.images ? await openImageArchives(request.images, flow) : [];
  const images = { archives, trust, delivery, hostsDir, allowMissing };
  return {
    read: { ...request, ...images, variables, solution, configuration, trees, entries, nodeVariables, cluster },
    means: { archives, trust, delivery, entries, variables, facts: cluster.facts, cluster: target },
    [Symbol.asyncDispose]: () => closeArchives(archives),
  };
}

/**
 * Throws `component-invalid` where the folder of a component has become empty, as one does whose disk is not mounted:
 * all that an earlier load applied of it would be removed.
 */
async function requireNoneEmptied(trees: readonly ComponentTree[]): Promise<void> {
  for (const { root, skipped } of trees) {
    for (const name of skipped) {
      const files = await readdir(join(root, name)).catch(() => undefined);
      if (files === undefined || files.some((file) => file !== 'lost+found')) continue;
      throw new SolpackError(
        'component-invalid',
        join(root, name),
        'is empty, and an earlier load may have applied it',
        {
          hint: 'is its disk mounted? To remove what it brought, remove the folder, or give --allow-empty',
        },
      );
    }
  }
}

async function readTrees({ folders, allowEmpty }: LoadRequest, flow: Flow): Promise<ComponentTree[]> {
  const trees: ComponentTree[] = [];
  for (const folder of folders) {
    flow.onEvent({ type: 'step', step: 'read', subject: folder });
    const before = trees.flatMap((tree) => tree.entries);
    const tree = await readTree(folder, flow.onEvent, before);
    if (trees.some(({ root }) => root === tree.root)) {
      throw new SolpackError('usage-invalid', folder, 'is given twice', { hint: 'name each folder once' });
    }
    if (tree.entries.length === 0 && !allowEmpty) {
      throw new SolpackError('component-invalid', folder, 'holds no component', {
        hint: 'is it the right folder? To remove everything that an earlier load applied, give --allow-empty',
      });
    }
    trees.push(tree);
  }
  return trees;
}
