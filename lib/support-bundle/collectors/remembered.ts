import type { Collector } from '../collector.ts';

/** Tells what the cluster remembers: the Solutions, and the history of each configuration without what it applied. */
export const remembered: Collector = {
  name: 'what the cluster remembers',
  collect: async ({ request: { cluster, name }, snapshot, bundle, flow }) => {
    if (cluster === undefined || snapshot === undefined) return;
    const inventory = await cluster.inventory(flow);
    await bundle.items('cluster/inventory.json', inventory);
    const known = await cluster.configurations(flow);
    const wanted = known.filter((one) => {
      return (
        name === undefined || one === name || inventory.some((own) => own.configuration === one && own.name === name)
      );
    });
    if (name !== undefined && wanted.length === 0) {
      bundle.missing(name, 'is neither a configuration nor a Solution of the cluster, so all of them are here');
    }
    for (const configuration of wanted.length > 0 ? wanted : known) {
      const generations = await cluster.generations(configuration, flow);
      await bundle.items(`cluster/history/${configuration}.json`, generations);
    }
  },
};
