import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { ClusterTarget } from '../../../parts/clusters/index.ts';
import { findNamed, type Named } from '../../../shared/solutions/clusters/index.ts';
import type { Collector } from '../collector.ts';
import type { BundleWriter } from '../writer.ts';

/**
 * Returns what the cluster remembers: the Solutions, the history of each configuration without what it applied, and how
 * that is now.
 */
export const remembered: Collector = {
  name: 'what the cluster remembers',
  collect: async ({ request: { cluster, name }, snapshot, bundle, flow }) => {
    if (cluster === undefined || snapshot === undefined) return;
    await bundle.items('cluster/inventory.json', await cluster.inventory(flow));
    for (const { configuration, generations } of await named(cluster, name, bundle, flow)) {
      await bundle.items(`cluster/history/${configuration}.json`, generations);
      const path = `cluster/status/${configuration}.json`;
      try {
        await bundle.value(path, await cluster.status(configuration, flow));
      } catch (error) {
        if (!(error instanceof SolpackError)) throw error;
        bundle.missing(path, `${error.subject}: ${error.message}`);
      }
    }
  },
};

/** Finds the configurations that are wanted; all of them where nothing has the name. */
async function named(
  cluster: ClusterTarget,
  name: string | undefined,
  bundle: BundleWriter,
  flow: Flow,
): Promise<readonly Named[]> {
  try {
    return await findNamed(cluster, name, flow);
  } catch (error) {
    if (!(error instanceof SolpackError) || error.code !== 'solution-unknown') throw error;
    bundle.missing(`history of ${name}`, `${error.message}; everything is included instead`);
    return findNamed(cluster, undefined, flow);
  }
}
