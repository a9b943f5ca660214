import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import type { StatedObject } from '../components/index.ts';

/**
 * Puts the namespace that a component says its Solution brings before its objects, with its labels. Where it states that
 * namespace itself, its own word counts, and nothing is added.
 */
export function withOwnNamespace(
  { namespace, createNamespace }: ComponentMetadata,
  objects: readonly StatedObject[],
): readonly StatedObject[] {
  if (namespace === undefined || createNamespace === undefined) return objects;
  const isThere = objects.some(
    ({ object: { apiVersion, kind, metadata } }) =>
      apiVersion === 'v1' && kind === 'Namespace' && metadata.name === namespace,
  );
  if (isThere) return objects;
  const { labels } = createNamespace;
  const metadata = { name: namespace, ...(labels ? { labels } : {}) };
  return [{ object: { apiVersion: 'v1', kind: 'Namespace', metadata }, source: 'create-namespace' }, ...objects];
}
