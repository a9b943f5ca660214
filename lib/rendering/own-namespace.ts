import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import type { StatedObject } from '../components/index.ts';

/**
 * Puts the namespace that a component says its Solution brings before its objects, with its labels. Where it states that
 * namespace itself, its own word counts, and nothing is added. Of several components that bring one namespace, the first
 * of `all` does, with the labels of each.
 */
export function withOwnNamespace(
  component: ComponentMetadata,
  objects: readonly StatedObject[],
  all: readonly ComponentMetadata[],
): readonly StatedObject[] {
  const { namespace } = component;
  const bringing = all.filter((one) => one.createNamespace !== undefined && one.namespace === namespace);
  if (namespace === undefined || bringing[0] !== component) return objects;
  const isThere = objects.some(
    ({ object: { apiVersion, kind, metadata } }) =>
      apiVersion === 'v1' && kind === 'Namespace' && metadata.name === namespace,
  );
  if (isThere) return objects;
  const labels = Object.assign({}, ...bringing.map(({ createNamespace }) => createNamespace?.labels));
  const metadata = { name: namespace, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
  return [{ object: { apiVersion: 'v1', kind: 'Namespace', metadata }, source: 'create-namespace' }, ...objects];
}
