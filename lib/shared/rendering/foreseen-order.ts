import type { ClusterFacts } from '../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import type { Placement } from '../solutions/sets/index.ts';
import { assumedCluster } from './assumed-cluster.ts';
import { renderedVersion } from './kubernetes-version.ts';
import { placedArchives, placedRenderable, placedSolutions, toRender } from './placed.ts';
import { renderAll } from './render.ts';
import type { Renderable } from './renderable.ts';
import { solutionOrder } from './solution-order.ts';

/** The order in which an install applies Solutions. */
export interface ForeseenOrder {
  /**
   * Of Solutions and environments. Undefined where none could be rendered: then it rests on what they ask for alone.
   */
  readonly names: readonly string[] | undefined;
  /** What the order does not go by: components that were not rendered, and why. */
  readonly without: readonly string[];
}

/** For whom it is foreseen. */
export interface OrderRequest {
  readonly archives: readonly Archive[];
  readonly placements: readonly Placement[];
  /** Undefined where there is no cluster to ask. */
  readonly facts: ClusterFacts | undefined;
  /** The version of Kubernetes where no cluster is asked. */
  readonly kubernetes: string | undefined;
}

/**
 * Finds the order of an install by the kinds that Solutions define and use: renders them as it does, with the values of
 * their archives. Plugins and programs that archives bring are not run. Throws `set-impossible` as `solutionOrder`.
 */
export async function foreseeOrder(
  { archives, placements, facts, kubernetes }: OrderRequest,
  flow: Flow,
): Promise<ForeseenOrder> {
  const placed = placedArchives(placements, archives);
  const plain = toRender(placed).map(placedRenderable);
  const without = plain.flatMap(({ metadata: { name, components } }) =>
    components.flatMap((one) => (one.kind === 'plugin' ? [`${name}/${one.name}: plugins are not run`] : [])),
  );
  const cluster = facts ?? assumedCluster(kubernetes ?? renderedVersion(plain, undefined));
  const options = { cluster, variables: {}, timeout: 0, withoutTests: true };
  const silent: Flow = { ...flow, onEvent: () => undefined };
  try {
    const { solutions } = await renderAll(plain.map(withoutPlugins), options, silent);
    return { names: solutionOrder(placedSolutions(placed, solutions, facts), facts), without };
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!(error instanceof SolpackError) || error.code === 'set-impossible') throw error;
    return { names: undefined, without: [...without, error.summary] };
  }
}

function withoutPlugins(renderable: Renderable): Renderable {
  const components = renderable.metadata.components.filter(({ kind }) => kind !== 'plugin');
  const names = new Set(components.map(({ name }) => name));
  const left = components.map((one) => ({ ...one, after: one.after.filter((name) => names.has(name)) }));
  return { ...renderable, metadata: { ...renderable.metadata, components: left } };
}
