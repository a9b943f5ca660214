import type { OutsideInstall } from '../../../formats/resolve/outside.ts';
import type { HeldBack, ReplacedWant, UnmetRecommendation } from '../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import type { ClusterTarget, DecidedSolution } from '../../parts/clusters/index.ts';
import { foreseeOrder } from '../../shared/rendering/index.ts';
import { type ReadCluster, readCluster } from '../../shared/solutions/clusters/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import {
  choicesOf,
  closeAll,
  fullVersion,
  isForsaken,
  type OpenedArchive,
  openAll,
  placeSet,
  readConfiguration,
  readSetOutside,
  requireChoice,
  requireFound,
  resolutionOf,
  resolveConfigured,
  withOutside,
} from '../../shared/solutions/sets/index.ts';

/** Which set to find. Paths are absolute. */
export interface ResolveRequest {
  /** The SolutionsConfiguration. */
  readonly configuration: string;
  /** How archives are reached that are no files. Left out: addresses directly, and none in registries. */
  readonly media?: MediaContext | undefined;
  /** The cluster that it is for; undefined: one that has nothing. */
  readonly cluster?: ClusterTarget | undefined;
  /** The version of Kubernetes where no cluster is asked. Left out: it does not count. */
  readonly kubernetes?: string | undefined;
}

/** A Solution of a set. */
export interface SetSolution extends DecidedSolution {
  /** The archive, as messages name it. */
  readonly archive: string;
}

/** The set of a configuration, or why there is none. */
export interface ResolveResult {
  /** The name of the configuration. */
  readonly configuration: string;
  /** Whether there is a set. */
  readonly resolved: boolean;
  /** In the order in which they are installed; empty where there is no set. */
  readonly solutions: readonly SetSolution[];
  /** What other configurations have installed, and what the set goes by. */
  readonly installed: readonly { readonly name: string; readonly version: string; readonly configuration: string }[];
  /**
   * What the order rests on: `kinds` is what Solutions define and use as objects, and what they ask for, as in an
   * install; `relations` is what they ask for alone. `without` says what was not rendered for it, and why.
   */
  readonly order: { readonly by: 'kinds' | 'relations'; readonly without: readonly string[] };
  readonly unmet: readonly UnmetRecommendation[];
  /** What the configuration wants, and is not brought, because another Solution takes its place. */
  readonly replaced: readonly ReplacedWant[];
  /**
   * Of each Solution, the highest version that may not be installed over the one in the cluster; why, and how to get
   * there.
   */
  readonly heldBack: readonly HeldBack[];
  /** Why there is no set, in sentences; empty where there is one. */
  readonly explanation: readonly string[];
  /** What would help, each by itself; empty where there is a set. */
  readonly help: readonly string[];
}

/**
 * Returns which Solutions an install of a SolutionsConfiguration would bring, in which versions and order, and why; or
 * why no set fits. Archives are opened, and not verified. Throws `configuration-invalid`, `version-conflict`,
 * `version-absent`, `archive-gone` as an install would, `set-impossible` if Solutions define kinds of each other, and
 * what opening archives and asking the cluster throw.
 */
export async function resolveSet(request: ResolveRequest, flow: Flow): Promise<ResolveResult> {
  const configuration = await readConfiguration(request.configuration);
  const found = await openAll(request.configuration, configuration, flow, request.media);
  try {
    const { cluster: target } = request;
    // Where a medium is empty or away, whether something of it is installed says more.
    const forsaken = target !== undefined && isForsaken(found);
    if (!forsaken) requireChoice(configuration, found, flow);
    const cluster = target && (await lend(target, () => readWithOutside(target, configuration, found.opened, flow)));
    if (cluster) requireFound(configuration, found, { file: request.configuration, inventory: cluster.inventory });
    if (forsaken) requireChoice(configuration, found, flow);
    const surroundings = {
      inventory: cluster?.inventory ?? [],
      kubernetes: cluster?.facts?.version ?? fullVersion(request.kubernetes),
      served: cluster?.facts?.apiVersions,
      outside: cluster?.outside,
    };
    const resolution = resolveConfigured(configuration, found.opened, surroundings);
    const { name } = configuration;
    const nothing: Omit<ResolveResult, 'configuration' | 'resolved'> = {
      order: { by: 'relations', without: [] },
      solutions: [],
      installed: [],
      unmet: [],
      replaced: [],
      heldBack: [],
      explanation: [],
      help: [],
    };
    if ('none' in resolution) {
      const { explanation, help } = resolution.none;
      return { ...nothing, configuration: name, resolved: false, explanation, help };
    }
    const { set } = resolution;
    const placed = placeSet(configuration, set);
    const archives = placed.archives.map(({ archive }) => archive);
    const { placements } = placed;
    const order = await foreseeOrder(
      { archives, placements, facts: cluster?.facts, kubernetes: fullVersion(request.kubernetes) },
      flow,
    );
    const at = (member: { readonly release: { readonly name: string } }): number =>
      order.names?.indexOf(member.release.name) ?? 0;
    const members = set.members.toSorted((a, b) => at(a) - at(b));
    const chosen = choicesOf(configuration, found.opened, placed, set.members);
    const choices = withOutside(chosen, set.members, configuration, found.opened, surroundings);
    const paths = new Map(members.map(({ release }) => [release.name, release.opened.path]));
    const { solutions, ...decided } = resolutionOf({ ...set, members }, choices);
    return {
      ...nothing,
      ...decided,
      configuration: name,
      resolved: true,
      solutions: solutions.map((one) => ({ ...one, archive: paths.get(one.name)! })),
      heldBack: set.heldBack,
      order: { by: order.names === undefined ? 'relations' : 'kinds', without: order.without },
    };
  } finally {
    await closeAll(found.opened);
  }
}

/** Reads a cluster, and what others have installed there if that may count. */
async function readWithOutside(
  target: ClusterTarget,
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
  flow: Flow,
): Promise<ReadCluster & { readonly outside: readonly OutsideInstall[] }> {
  const cluster = await readCluster(target, flow);
  const { inventory, facts } = cluster;
  const around = { inventory, served: facts?.apiVersions };
  return { ...cluster, outside: await readSetOutside(configuration, opened, around, target, flow) };
}
