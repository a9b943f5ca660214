import { SolpackError } from '../../kernel/events/index.ts';
import { type ImageDelivery, keptOnThisNode, pushedToRegistry } from '../install/index.ts';
import { awaitStep, whyNot } from './await-step.ts';
import type { ClusterRegistry } from './cluster-registry.ts';
import { pinStep } from './pin-step.ts';
import { answering, kept } from './products.ts';

export type {
  /** A registry that runs in the cluster. */
  ClusterRegistry,
} from './cluster-registry.ts';

/**
 * Hands images over to a registry that a Solution of the configuration has brought up in the cluster, so that the
 * `solpack serve` that delivered it can end: waits until it answers, keeps its own images on this node, and pushes the
 * images of all Solutions to it, including its own. An install with it changes the mirrors only after that. It throws
 * what an install with `pushedToRegistry` throws, and `solution-unknown`, `registry-unreachable`, `image-missing`,
 * `tool-missing`, `tool-failed`.
 */
export function seededRegistry(registry: ClusterRegistry): ImageDelivery {
  const { solution, containerd, place } = registry;
  const pushed = pushedToRegistry(registry.url, registry.options);
  const steps = pushed.steps.map((step) => ({ ...step, takes: [...step.takes, answering, kept] }));
  const own = place && keptOnThisNode(solution, place, { takes: [answering], gives: kept });
  const staying = [...(own ? [own.step] : []), ...(containerd === undefined ? [] : [pinStep(solution, containerd)])];
  return {
    ...pushed,
    ...(own ? { place: own.place, placeOf: own.placeOf, afterwards: [own.afterwards] } : {}),
    steps: [awaitStep(registry), ...staying, ...steps],
    examine: async (what, flow) => {
      if (!what.archives.some(({ catalog }) => catalog.metadata.name === solution)) return [inactive(solution)];
      const onNode = own ? await own.examine(what, flow) : [];
      // One that does not answer yet is waited for.
      if ((await whyNot(registry, flow.signal))?.code === 'registry-unreachable') return onNode;
      return [...onNode, ...(await pushed.examine(what, flow))];
    },
  };
}

function inactive(solution: string): SolpackError {
  return new SolpackError('solution-unknown', solution, 'no Solution of this name is active in the configuration', {
    hint: 'name the Solution that brings the registry, and install it first',
  });
}
