import type { Digest } from '../../../../formats/digest.ts';
import { inputDigest, type StepKind } from '../../../kernel/plan/index.ts';
import {
  assumedCluster,
  distinctObjects,
  mayRunPrograms,
  placedArchives,
  placedRenderable,
  placedSolutions,
  programsOf,
  type Rendered,
  rememberedRenderings,
  renderAll,
  renderableArchive,
  renderedVersion,
  requireEffective,
  requireLikely,
  toRender,
} from '../../../shared/rendering/index.ts';
import { factsDigest } from '../../../shared/solutions/clusters/index.ts';
import type { Placement } from '../../../shared/solutions/sets/index.ts';
import { sitesDigest } from '../../../shared/solutions/sites/index.ts';
import { lookupLimits, requireWithin } from '../bounds.ts';
import { requireImages } from '../missing-images.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { checkedSites, rendered, verifiedArchive } from '../products.ts';

type Inputs = {
  readonly placements: readonly Placement[];
  /** What the cluster is like; null where there is none to ask. */
  readonly facts: Digest | null;
  /** The Kubernetes version that is rendered for where no cluster is asked; null where nobody said it. */
  readonly kubernetes: string | null;
  /** The variables of the node that plugins get. */
  readonly variables: Digest;
  /** What the site sets. */
  readonly sites: Digest;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether an image that objects use, and their archive does not hold, ends the install. */
  readonly needsImages: boolean;
  /** Whether what only seems to be such an image does so too. */
  readonly strict: boolean;
  /** Whether tests of charts will not run. */
  readonly withoutTests: boolean;
};

/**
 * Renders all components of all archives, and makes sure that they bring and use what they may. It comes before images
 * are moved: what cannot be installed moves nothing.
 */
export const renderStep: StepKind<InstallRead, InstallMeans, Inputs, Rendered> = {
  kind: 'render',
  takes: [verifiedArchive, checkedSites],
  gives: rendered,
  plan: ({
    placements,
    cluster,
    configuration,
    variables,
    kubernetes,
    timeout,
    allowMissingImages,
    strict,
    test,
    sites,
  }) => {
    if (cluster === undefined) return [];
    const { facts } = cluster;
    const inputs = {
      placements,
      facts: factsDigest(facts),
      kubernetes: kubernetes ?? null,
      variables: inputDigest(variables),
      sites: sitesDigest(sites),
      timeout,
      needsImages: strict || (facts !== undefined && !allowMissingImages),
      strict,
      withoutTests: facts !== undefined && !test,
    };
    return [{ subject: configuration, inputs }];
  },
  run: async (
    { inputs: { placements, kubernetes, timeout, needsImages, strict, withoutTests } },
    { means, flow, all },
  ) => {
    const placed = placedArchives(placements, means.archives);
    const archives = [...new Set(placed.map(({ archive }) => archive))];
    const { variables, sites } = means;
    const cluster =
      means.facts ?? assumedCluster(renderedVersion(archives.map(renderableArchive), kubernetes ?? undefined));
    const target = means.facts && means.cluster;
    const readPreviousVersion =
      target && ((name: string, version: string) => target.previousVersion(name, version, flow));
    const bounds = new Map(all(verifiedArchive).map((each) => [each.root, each.bounds]));
    const bound = placed.map((one) => ({ ...one, bounds: bounds.get(one.placement.root) }));
    const remembered = means.facts && means.cluster && rememberedRenderings(means.cluster, lookupLimits(bound));
    const options = {
      cluster,
      variables,
      timeout,
      sites,
      remembered,
      withoutTests,
      ...(readPreviousVersion && { readPreviousVersion }),
    };
    const renderables = toRender(placed).map((one) => ({
      ...placedRenderable(one),
      programs: programsOf(one.archive, mayRunPrograms(bounds.get(one.placement.root))),
    }));
    const each = await renderAll(renderables, options, flow);
    requireEffective(placed, each, sites, means.facts, flow);
    const result = { ...each, solutions: placedSolutions(placed, each.solutions, means.facts) };
    requireWithin(bound, result, means.facts);
    requireImages(result.missing, needsImages, flow);
    requireLikely(result.used, strict, flow);
    // A cluster finds by itself which objects are the same one.
    return means.facts ? result : { ...result, solutions: distinctObjects(result.solutions) };
  },
};
