import { utf8 } from '../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { exactJson } from '../../../formats/exact-json.ts';
import type { ClusterFacts, PreviousVersion } from '../../kernel/content/index.ts';
import { inputDigest, type Product, type StepKind } from '../../kernel/plan/index.ts';
import type { ClusterTarget, RenderedComponent, RenderedSolution } from '../../parts/clusters/index.ts';
import { type ComponentTree, type Entry, migrations } from '../../parts/components/index.ts';
import { factsDigest, type ReadCluster } from '../../shared/solutions/clusters/index.ts';
import type { NodeVariable } from '../../shared/solutions/node-variables/index.ts';
import { verifiedArchive } from '../install/index.ts';
import { type Outcome, type Part, renderParts } from './render.ts';
import type { LoadRequest } from './request.ts';

/** What a load is planned from: what was asked for, and what was read. */
export interface LoadRead extends Pick<LoadRequest, 'folders' | 'variables' | 'retryFor' | 'keepGoing' | 'timeout'> {
  /** The Solution that the trees are brought up as. */
  readonly solution: string;
  readonly trees: readonly ComponentTree[];
  /** All that the trees hold, in its order. */
  readonly entries: readonly Entry[];
  /** What plugins get to know about the node, and the source of each. */
  readonly nodeVariables: readonly NodeVariable[];
  readonly cluster: ReadCluster;
}

/** What the step is run with. */
export interface RenderTreeMeans {
  readonly cluster: ClusterTarget;
  readonly entries: readonly Entry[];
  readonly variables: LoadRequest['variables'];
  readonly facts: ClusterFacts | undefined;
}

type Inputs = {
  readonly solution: string;
  /** The components by folder and kind, in their order. What their files hold is found out when they are rendered. */
  readonly components: readonly { readonly folder: string; readonly kind: string }[];
  /** The variables of the node that plugins get. */
  readonly variables: Digest;
  /** What the cluster is like; null where there is none to ask. */
  readonly facts: Digest | null;
  /** Milliseconds. */
  readonly retryFor: number;
  readonly keepGoing: boolean;
  /** Milliseconds. */
  readonly timeout: number;
};

/** A tree as objects. */
export interface RenderedTree {
  readonly solution: RenderedSolution;
  /** One of each component, in their order. */
  readonly outcomes: readonly Outcome[];
}

/** Given once every component of a tree is rendered, or has failed where the others continue. */
export const renderedTree: Product<RenderedTree> = { product: 'rendered tree' };

/** Probes all plugins of trees, and renders its components in their order. */
export const renderTreeStep: StepKind<LoadRead, RenderTreeMeans, Inputs, RenderedTree> = {
  kind: 'render-tree',
  takes: [verifiedArchive],
  gives: renderedTree,
  plan: ({ folders, solution, entries, cluster, variables, retryFor, keepGoing = false, timeout }) => {
    const components = entries.map(({ folder, kind }) => ({ folder, kind }));
    const facts = factsDigest(cluster.facts);
    return [
      {
        subject: folders.join(', '),
        inputs: { solution, components, variables: inputDigest(variables), facts, retryFor, keepGoing, timeout },
      },
    ];
  },
  run: async ({ inputs }, { means, flow: shared }) => {
    const { solution: name, retryFor, keepGoing, timeout } = inputs;
    // A flow of its own, so that plugins are asked anew in each load, also where a program loads many times.
    const flow = { ...shared };
    const parts = partsOf(name, means);
    const outcomes = await renderParts(parts, { retryFor, keepGoing }, flow);
    const failure = outcomes.find((outcome) => outcome.failure)?.failure;
    if (failure && outcomes.every((outcome) => outcome.failure)) throw failure;
    const version = versionOf(outcomes);
    const components: RenderedComponent[] = [];
    for (const { entry, objects } of outcomes.filter((outcome) => outcome.failure === undefined)) {
      const readPreviousVersion = (): Promise<PreviousVersion | undefined> =>
        means.cluster.previousVersion(name, version, flow);
      const component = parts.find((part) => part.entry === entry)!.component;
      const changes = await migrations(entry.kind, component, readPreviousVersion, flow);
      const migrated = changes.length > 0 ? { migrations: changes } : {};
      components.push({ name: entry.name, objects, after: [], timeout, ...migrated });
    }
    return { solution: { name, version, root: undefined, components }, outcomes };
  },
};

function partsOf(name: string, { entries, variables, facts }: RenderTreeMeans): Part[] {
  return entries.map((entry) => ({
    entry,
    component: {
      name: entry.name,
      // Kustomizations may build on each other, but on nothing outside of the tree.
      folder: entry.root,
      entry: entry.folder,
      values: [],
      namespace: undefined,
      release: entry.name,
      // The version is known only once plugins have printed what it is made from.
      solution: { name, version: '0.0.0' },
      cluster: facts,
      variables,
    },
  }));
}

/** Makes a version of a tree's objects, because it has none of its own: lower than any release, and fit for a label. */
function versionOf(outcomes: readonly Outcome[]): string {
  const content = exactJson(outcomes.map(({ entry, objects }) => [entry.name, objects]));
  return `0.0.0-sha256-${sha256(utf8(content)).slice('sha256:'.length, 'sha256:'.length + 12)}`;
}
