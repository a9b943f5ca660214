import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { RESERVED_NAMESPACE, reservedBy } from '../../../formats/manifest/reserved.ts';
import { SolpackError } from '../../kernel/events/index.ts';

const hint = `use another namespace than ${RESERVED_NAMESPACE}, and leave labels and annotations of applyset.kubernetes.io to solpack`;

/**
 * Makes sure that a component touches none of solpack's own objects: a component that could write them could have
 * objects of other Solutions deleted. `namespace` is that of objects that name none. Throws `object-reserved` with all
 * offending objects.
 */
export function requireUnreserved(component: string, objects: readonly KubernetesObject[], namespace?: string): void {
  const reserved = objects.flatMap((object) => {
    const reason = reservedBy(object, namespace);
    if (reason === undefined) return [];
    const { kind, metadata } = object;
    const place = metadata.namespace ?? namespace;
    return [`${kind} ${place === undefined ? '' : `${place}/`}${metadata.name} (${reason})`];
  });
  if (reserved.length > 0) throw refusal(component, reserved.join(', '));
}

/** Makes the same check for a namespace that all objects of a component are to be in. */
export function requireOpenNamespace(component: string, namespace: string): void {
  if (namespace === RESERVED_NAMESPACE) throw refusal(component, `all that it puts into the namespace ${namespace}`);
}

function refusal(component: string, what: string): SolpackError {
  return new SolpackError(
    'object-reserved',
    `component ${component}`,
    `has objects that are reserved for solpack: ${what}`,
    {
      hint,
    },
  );
}
