import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { isRecord } from '../../../formats/record.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';

/**
 * What `facts` will be once the CustomResourceDefinitions among `objects` are there: with the versions that they serve,
 * as `group/version` and `group/version/Kind` (apiextensions.k8s.io/v1, `CustomResourceDefinitionSpec`).
 * The same `facts` where that adds nothing.
 */
export function withDefinitions(facts: ClusterFacts, objects: readonly KubernetesObject[]): ClusterFacts {
  return withKinds(facts, objects.flatMap(definedKinds));
}

/**
 * What `facts` will be with further `group/version` and `group/version/Kind`; the same `facts` where that adds nothing.
 */
export function withKinds(facts: ClusterFacts, kinds: readonly string[]): ClusterFacts {
  const known = new Set(facts.apiVersions);
  const added = kinds.filter((one) => !known.has(one));
  return added.length === 0 ? facts : { ...facts, apiVersions: [...new Set([...known, ...added])] };
}

/**
 * Lists what a CustomResourceDefinition defines, as `group/version` and `group/version/Kind`; nothing for other
 * objects.
 */
export function definedKinds({ apiVersion, kind, spec }: KubernetesObject): string[] {
  if (kind !== 'CustomResourceDefinition' || !apiVersion.startsWith('apiextensions.k8s.io/') || !isRecord(spec)) {
    return [];
  }
  const { group, names, versions } = spec;
  if (typeof group !== 'string' || !isRecord(names) || typeof names['kind'] !== 'string') return [];
  return (Array.isArray(versions) ? versions : []).flatMap((version: unknown) => {
    if (!isRecord(version) || version['served'] !== true || typeof version['name'] !== 'string') return [];
    return [`${group}/${version['name']}`, `${group}/${version['name']}/${names['kind']}`];
  });
}
