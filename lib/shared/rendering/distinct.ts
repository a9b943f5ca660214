import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { groupKindOf, withNamespace } from '../../../formats/manifest/namespace.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';

/**
 * Leaves out objects that are stated again with the same content, as a cluster does that has each once. Throws
 * `object-conflict` for two different objects of one name.
 */
export function distinctObjects(solutions: readonly RenderedSolution[]): RenderedSolution[] {
  const known = solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects));
  const seen = new Map<string, { readonly object: KubernetesObject; readonly where: string }>();
  return solutions.map((solution) => ({
    ...solution,
    components: solution.components.map((component) => {
      const where = `component ${component.name} of ${solution.name}`;
      const objects = component.objects.filter((stated) => {
        const [object] = withNamespace([stated], 'default', known) as [KubernetesObject];
        const key = objectWords(object, groupKindOf(object));
        const first = seen.get(key);
        if (first === undefined) seen.set(key, { object, where });
        else if (!isDeepStrictEqual(first.object, object)) throw conflict(object, first.where, where);
        return first === undefined;
      });
      return { ...component, objects };
    }),
  }));
}

/** Names an object for people: `Kind name`, or `Kind namespace/name`. */
export function objectWords({ kind, metadata }: KubernetesObject, called: string = kind): string {
  return `${called} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

function conflict(object: KubernetesObject, one: string, other: string): SolpackError {
  const places = one === other ? `twice in ${one}` : `in ${one} and in ${other}`;
  return new SolpackError('object-conflict', objectWords(object), `stated ${places}, with different content`, {
    hint: 'remove one of them, rename one of them, or make both the same',
  });
}
