import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import type { ReadyProbe } from '../../../formats/solution/ready-probe.ts';
import { type ClusterTarget, directoryTarget } from '../../parts/clusters/index.ts';

/** A target without a cluster: it takes all objects that a plan would apply, and keeps them. */
export interface GatheringTarget {
  readonly target: ClusterTarget;
  readonly objects: readonly KubernetesObject[];
  /** What the components ask until they are ready. */
  readonly probes: readonly ReadyProbe[];
}

/** Makes a place whose objects can be examined after an install was foreseen for it. Nothing is written anywhere. */
export function gatheringTarget(): GatheringTarget {
  const objects: KubernetesObject[] = [];
  const probes: ReadyProbe[] = [];
  const target: ClusterTarget = {
    ...directoryTarget(''),
    foresee: async ({ solutions }) => {
      objects.push(...solutions.flatMap(({ components }) => components.flatMap((one) => one.objects)));
      probes.push(...solutions.flatMap(({ components }) => components.flatMap(({ ready = [] }) => ready)));
      return { actions: [], unchanged: 0, basis: '' };
    },
  };
  return { target, objects, probes };
}
