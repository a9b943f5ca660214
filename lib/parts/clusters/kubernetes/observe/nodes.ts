import type { ClusterNode } from '../../kind.ts';
import { type ApplySession, fieldAt, ifReadable, type LiveObject, listAt, textAt } from '../server/index.ts';

/**
 * Lists the nodes of a cluster; undefined where the server does not let them be listed. Those that say no platform are
 * left out.
 */
export async function readNodes({ api, flow: { signal } }: ApplySession): Promise<readonly ClusterNode[] | undefined> {
  const resource = (await api.discover(signal)).find('v1', 'Node');
  if (resource === undefined) return [];
  const listed = await ifReadable(signal, undefined, () => api.list(resource, {}, signal));
  return listed?.map(nodeOf).filter(({ os, architecture }) => os !== '' && architecture !== '');
}

function nodeOf(live: LiveObject): ClusterNode {
  const info = fieldAt(live, 'status', 'nodeInfo');
  const [os, architecture] = [textAt(info, 'operatingSystem'), textAt(info, 'architecture')];
  const taints = listAt(live, 'spec', 'taints').map((taint) => {
    return { key: textAt(taint, 'key'), value: textAt(taint, 'value'), effect: textAt(taint, 'effect') };
  });
  const labels = { 'kubernetes.io/os': os, 'kubernetes.io/arch': architecture, ...live.metadata.labels };
  const addresses = listAt(live, 'status', 'addresses').flatMap((one) =>
    textAt(one, 'type') === 'InternalIP' ? [textAt(one, 'address')] : [],
  );
  const reached = addresses.length === 0 ? {} : { addresses };
  return { name: live.metadata.name, os, architecture, labels, taints, ...reached };
}
