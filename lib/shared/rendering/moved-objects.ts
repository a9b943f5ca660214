import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { namespacedAmong } from '../../../formats/manifest/namespace.ts';
import { relocated } from '../../../formats/manifest/relocate.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import type { Renderable } from './renderable.ts';

/** Moves what a Solution was rendered to into its environment; leaves it where it is where it has none. */
export function movedObjects<T extends { readonly objects: readonly KubernetesObject[] }>(
  { moved }: Pick<Renderable, 'moved'>,
  components: readonly T[],
  cluster: ClusterFacts | undefined,
): T[] {
  if (moved === undefined) return [...components];
  const lists = components.map(({ objects }) => objects);
  const isNamespaced = namespacedAmong(lists.flat(), cluster?.namespaced);
  const placed = relocated(lists, { ...moved, isNamespaced });
  return components.map((one, at) => ({ ...one, objects: placed[at]! }));
}
