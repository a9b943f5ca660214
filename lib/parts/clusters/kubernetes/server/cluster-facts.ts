import { byteOrder } from '../../../../../formats/bytes.ts';
import type { ClusterFacts } from '../../../../kernel/content/index.ts';
import type { Discovery } from './api.ts';

/** Returns what rendering needs to know of a cluster, from the discovery of its server. */
export function factsOf(discovery: Discovery): ClusterFacts {
  const apiVersions = new Set<string>();
  for (const { group, version, kind } of discovery.resources) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    apiVersions.add(apiVersion).add(`${apiVersion}/${kind}`);
  }
  return {
    version: discovery.version,
    apiVersions: [...apiVersions].sort(byteOrder),
    namespaced: (group, kind) => discovery.preferred(group, kind)?.namespaced,
  };
}
