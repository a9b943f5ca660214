import type { ClusterFacts } from '../../../../../kernel/content/index.ts';
import type { Discovery, Resource } from '../api.ts';

/** What is reported about the resources of a group and version. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/**
 * Returns what a cluster is said to serve: what it does, and what `facts` knows beyond that, because a Solution is
 * about to define it. Nobody can look that up yet.
 */
export function shownVersions(discovery: Discovery, facts: ClusterFacts): ServedVersion[] {
  const found = new Map<string, { group: string; version: string; resources: Resource[] }>();
  const versionOf = (group: string, version: string): Resource[] => {
    const key = `${group}/${version}`;
    const entry = found.get(key) ?? { group, version, resources: [] };
    found.set(key, entry);
    return entry.resources;
  };
  for (const resource of discovery.resources) versionOf(resource.group, resource.version).push(resource);
  for (const one of facts.apiVersions) {
    const { group, version, kind } = partsOf(one);
    const resources = versionOf(group, version);
    if (kind === undefined || resources.some((resource) => resource.kind === kind)) continue;
    const plural = `${kind.toLowerCase()}s`;
    const namespaced = facts.namespaced(group, kind) ?? true;
    resources.push({ group, version, kind, plural, namespaced, verbs: ['get', 'list'] });
  }
  return [...found.values()];
}

/** Takes apart `v1`, `v1/Kind`, `group/version` and `group/version/Kind`. */
function partsOf(text: string): { group: string; version: string; kind: string | undefined } {
  const parts = text.split('/');
  const kind = /^[A-Z]/.test(parts.at(-1)!) ? parts.pop() : undefined;
  const version = parts.pop() ?? '';
  return { group: parts.join('/'), version, kind };
}

/** Makes the document of `/api` (`isCore`) or `/apis` (KEP-3352, `APIGroupDiscoveryList`). */
export function groupList(served: readonly ServedVersion[], isCore: boolean): object {
  const groups = Map.groupBy(
    served.filter(({ group }) => (group === '') === isCore),
    ({ group }) => group,
  );
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, versions]) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        freshness: 'Current',
        resources: resources.map(({ group, kind, plural, namespaced, verbs }) => ({
          resource: plural,
          responseKind: { group, version, kind },
          scope: namespaced ? 'Namespaced' : 'Cluster',
          singularResource: kind.toLowerCase(),
          verbs,
        })),
      })),
    })),
  };
}

/** Makes the document of one group and version (`APIResourceList`). */
export function resourceList({ group, version, resources }: ServedVersion): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: resources.map(({ kind, plural, namespaced, verbs }) => {
      return { name: plural, singularName: kind.toLowerCase(), namespaced, kind, verbs };
    }),
  };
}
