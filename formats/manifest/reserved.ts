import { groupKindOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';

/** Names the namespace in which solpack keeps what it remembers about a cluster. */
export const RESERVED_NAMESPACE = 'solpack-system';

/** What labels and annotations begin with that tell sets of objects apart (KEP-3659, "Labels and annotations"). */
const PREFIX = 'applyset.kubernetes.io/';

/** Says of a definition that its objects may be parents of sets, and so nothing of any set. */
const free: readonly string[] = [`${PREFIX}is-parent-type`];

/**
 * Explains why only solpack itself may create an object; returns undefined if others may. `namespace` is where the
 * object goes if it names none.
 */
export function reservedBy(object: KubernetesObject, namespace?: string): string | undefined {
  const { metadata } = object;
  if (groupKindOf(object) === 'Namespace' && metadata.name === RESERVED_NAMESPACE) return `namespace ${metadata.name}`;
  const place = metadata.namespace ?? namespace;
  if (place === RESERVED_NAMESPACE) return `namespace ${place}`;
  for (const field of ['label', 'annotation'] as const) {
    const name = Object.keys(metadata[`${field}s`] ?? {}).find((key) => key.startsWith(PREFIX) && !free.includes(key));
    if (name !== undefined) return `${field} ${name}`;
  }
  return undefined;
}
