import type { Flow } from '../../kernel/events/index.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import {
  assumedCluster,
  declaredApis,
  isRenderable,
  ownName,
  type Renderable,
  renderAll,
  type UsedImage,
  withKinds,
  withPullNames,
} from '../../shared/rendering/index.ts';
import type { SiteInputs } from '../../shared/solutions/sites/index.ts';

/** A Solution as objects, and what could not be known of it. */
export interface RenderedAlone {
  readonly rendered: RenderedSolution;
  /** Components that only the node can render. */
  readonly unproved: readonly string[];
  readonly missing: readonly { readonly image: string; readonly component: string }[];
  /** Every image that objects name, and where. */
  readonly used: readonly UsedImage[];
}

/** What a Solution is rendered for, where nobody can be asked. */
export interface AssumedSite {
  /** Undefined leaves it to Helm. */
  readonly kubernetes: string | undefined;
  /** What the cluster serves besides, as `group/version` and `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
  /** What the site sets; left out: nothing. */
  readonly sites?: readonly SiteInputs[];
}

/** Milliseconds, which nobody waits here. */
const TIMEOUT = 300_000;

/**
 * Renders a Solution for a cluster that nobody can ask. Plugins are not run, and what only the node can render is left
 * out.
 */
export async function renderAlone(
  solution: Renderable,
  { kubernetes, apiVersions = [], sites = [] }: AssumedSite,
  flow: Flow,
): Promise<RenderedAlone> {
  const { metadata } = solution;
  const known = { ...solution, metadata: { ...metadata, components: metadata.components.filter(isRenderable) } };
  const options = {
    cluster: withKinds(assumedCluster(kubernetes), [...declaredApis(metadata), ...apiVersions]),
    variables: {},
    timeout: TIMEOUT,
    sites,
  };
  const { solutions: bare, missing } = await renderAll([known], options, flow);
  const { solutions, used } = withPullNames(bare, [known], ownName);
  return {
    rendered: solutions[0]!,
    used,
    unproved: metadata.components.filter((component) => !isRenderable(component)).map(({ name }) => name),
    missing: missing.map(({ image, component }) => ({ image, component })),
  };
}
