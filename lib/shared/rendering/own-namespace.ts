import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { withNamespace } from '../../../formats/manifest/namespace.ts';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { StatedObject } from '../../parts/components/index.ts';

/**
 * Puts the namespace that a component says its Solution brings before its objects, with its labels. Where it states
 * that namespace itself, its own word counts, and nothing is added. Of several components that bring one namespace, the
 * first of `all` does, with the labels of each.
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

/** The Solution that a component is of, as far as it decides about namespaces. */
export interface OwnSolution {
  readonly known: readonly KubernetesObject[];
  readonly brought: readonly ComponentMetadata[];
  readonly cluster: ClusterFacts | undefined;
}

/**
 * The objects of a component as the cluster is to have them: with its own namespace, and in that where they name none.
 * A definition anywhere in the Solution may say which kinds have one.
 */
export function inNamespace(
  component: ComponentMetadata,
  objects: readonly StatedObject[],
  { known, brought, cluster }: OwnSolution,
): readonly StatedObject[] {
  const own = withOwnNamespace(component, objects, brought);
  if (component.namespace === undefined) return own;
  const bare = own.map(({ object }) => object);
  const placed = withNamespace(bare, component.namespace, known, cluster?.namespaced);
  return placed.map((object, index) => ({ ...own[index]!, object }));
}
