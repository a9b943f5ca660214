import type { SnapshotPart } from '../../../parts/clusters/index.ts';
import type { Collector } from '../collector.ts';
import type { BundleWriter } from '../writer.ts';

/** Shows what is in the cluster: nodes, objects of Solutions, events, Pods that are not ready and what they printed. */
export const clusterParts: Collector = {
  name: 'what is in the cluster',
  collect: async ({ snapshot, blanking, bundle }) => {
    if (snapshot === undefined) return;
    for await (const part of snapshot.parts(blanking.part)) await add(part, bundle);
  },
};

async function add(part: SnapshotPart, bundle: BundleWriter): Promise<void> {
  const path = `cluster/${part.path}`;
  if ('missing' in part) bundle.missing(path, part.missing);
  else if ('items' in part) await bundle.items(`${path}.json`, part.items);
  else if ('lines' in part) await bundle.text(`${path}.log`, part.lines.map((line) => `${line}\n`).join(''));
  else await bundle.value(`${path}.json`, part.value);
}
