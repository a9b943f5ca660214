import { groupKindOf, mayLive, type scopesOf } from '../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { askedEndpoint, type ReadyProbe } from '../../../../formats/solution/ready-probe.ts';
import type { Bounds } from '../../../../formats/trust/bounds.ts';
import type { ClusterFacts, Finding } from '../../../kernel/content/index.ts';
import { breachesOfObject } from '../../../parts/trust/index.ts';

/** The namespace of what names none, where its component names none either (kubectl, `--namespace`). */
const DEFAULT = 'default';

/**
 * How a rendered object goes beyond the bounds of its Solution; none where it does not. An object whose kind lives in a
 * namespace by one word, that of a definition or of the cluster, and outside of them by another has to be allowed both.
 */
export function breachesOfRendered(
  object: KubernetesObject,
  definitions: ReturnType<typeof scopesOf>,
  facts: Pick<ClusterFacts, 'namespaced'> | undefined,
  bounds: Bounds,
): Finding[] {
  const { within, outside } = mayLive(object, definitions, facts?.namespaced);
  const { name, namespace = DEFAULT } = object.metadata;
  const places = [...(within ? [namespace] : []), ...(outside ? [undefined] : [])];
  const groupKind = groupKindOf(object);
  return places.flatMap((place) => breachesOfObject({ groupKind, name, namespace: place }, bounds));
}

/**
 * Returns the Services that probes ask, as objects: an API server asks them with its own rights, past any policy of
 * networks, so that they have to be within the bounds of the Solution as well.
 */
export function askedServices(probes: readonly ReadyProbe[] = []): KubernetesObject[] {
  return probes.flatMap((probe) => {
    const endpoint = askedEndpoint(probe);
    if (endpoint === undefined) return [];
    const metadata = { name: endpoint.service, namespace: probe.namespace ?? DEFAULT };
    return [{ apiVersion: 'v1', kind: 'Service', metadata }];
  });
}
