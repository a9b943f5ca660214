import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import { groupKindOf, mayLive, scopesOf, withNamespace } from '../../../../formats/manifest/namespace.ts';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import type { StatedObject } from '../../../parts/components/index.ts';

/** An object of a component, as it will be in a cluster. */
export interface PlacedStatement extends StatedObject {
  readonly component: string;
  /** What no two objects of a cluster may have in common: group, kind, namespace and name. */
  readonly key: string;
  /** Its namespace; undefined outside of namespaces. */
  readonly namespace: string | undefined;
}

/**
 * Gives the objects of components the namespaces that they will have. Which kinds have one may be said by a definition
 * in another component.
 */
export function placeStatements(
  stated: readonly { readonly component: ComponentMetadata; readonly objects: readonly StatedObject[] }[],
): PlacedStatement[] {
  const known = stated.flatMap(({ objects }) => objects.map(({ object }) => object));
  const scopes = scopesOf(known);
  return stated.flatMap(({ component, objects }) =>
    objects.map(({ object: bare, ...stated }) => {
      const [object] = withNamespace([bare], component.namespace ?? 'default', known) as [KubernetesObject];
      const { within } = mayLive(object, scopes);
      const namespace = within ? (object.metadata.namespace ?? 'default') : undefined;
      const key = `${groupKindOf(object)}/${namespace ?? ''}/${object.metadata.name}`;
      return { ...stated, component: component.name, object, key, namespace };
    }),
  );
}

/** Names an object for people and programs: `Kind/namespace/name`, with nothing in the middle outside of namespaces. */
export function objectName({ object, namespace }: Pick<PlacedStatement, 'object' | 'namespace'>): string {
  return `${object.kind}/${namespace ?? ''}/${object.metadata.name}`;
}
