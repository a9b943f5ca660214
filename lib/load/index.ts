import { utf8 } from '../../formats/bytes.ts';
import { sha256 } from '../../formats/digest.ts';
import type { AppliedObject, AppliedSolution, ClusterTarget } from '../clusters/index.ts';
import { type ComponentKindName, checkVariables } from '../components/index.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { ClusterFacts } from '../model.ts';
import { solutionName } from './names.ts';
import { type Outcome, type Part, renderParts } from './render.ts';
import { type ComponentTree, readTree } from './tree.ts';

/** Which tree to bring up, and how. */
export interface LoadRequest {
  /** The folder of the components; an absolute path. */
  readonly folder: string;
  /** Where rendered objects go. */
  readonly cluster: ClusterTarget;
  /** The Solution that the tree is brought up as; undefined takes the folder's name. */
  readonly name: string | undefined;
  /** What plugins are told of the node. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds for which a plugin whose precondition is unmet is run again; 0 runs it once. */
  readonly retryFor: number;
  /** Brings the other components up where some fail. */
  readonly keepGoing: boolean;
  /** Takes a folder without components for what it says: all that an earlier load brought is removed. */
  readonly allowEmpty: boolean;
  /** Milliseconds that a component may take to become ready. */
  readonly timeout: number;
}

/** What became of one component. */
export interface LoadedComponent {
  readonly name: string;
  /** Name of its folder. */
  readonly folder: string;
  readonly kind: ComponentKindName;
  /** `empty`: it has nothing to apply. */
  readonly state: 'loaded' | 'empty' | 'failed';
  /** How many objects it has. */
  readonly objects: number;
  /** Why it failed. */
  readonly reason?: string;
}

/** What a load did. */
export interface LoadResult {
  readonly name: string;
  /** Made from the rendered objects: the same objects have the same version. */
  readonly version: string;
  readonly folder: string;
  /** In the order of application. */
  readonly components: readonly LoadedComponent[];
  /** Files that were written, in order. */
  readonly files: readonly string[];
  /** Objects in the order in which they were applied or removed. */
  readonly objects: readonly AppliedObject[];
  /** Entries that are no components. */
  readonly skipped: readonly string[];
  /** Why the first component failed of those that did, where the request was to keep going. */
  readonly failure: SolpackError | undefined;
}

/**
 * Brings up a `components.d` tree as one Solution: reads it, probes all plugins, renders all components in byte order of
 * their folders, and then applies all of it at once; what an earlier load brought and this one has no longer is removed,
 * unless a component failed. Throws `usage-invalid`, `file-missing`, `file-unreadable`, `path-escapes`,
 * `component-invalid`, and what the component kinds and the target throw.
 */
export async function load(request: LoadRequest, flow: Flow): Promise<LoadResult> {
  const name = solutionName(request.folder, request.name);
  checkVariables(request.variables);
  flow.onEvent({ type: 'step', step: 'read', subject: request.folder });
  const tree = await readTree(request.folder, flow.onEvent);
  if (tree.entries.length === 0 && !request.allowEmpty) {
    throw new SolpackError('component-invalid', request.folder, 'holds no component', {
      hint: 'is it the right folder? To have all removed that an earlier load brought, give --allow-empty',
    });
  }
  const facts = await request.cluster.facts(flow);
  // A flow of its own, so that plugins are asked anew in each load, also where a program loads many times.
  const outcomes = await renderParts(partsOf(tree, name, request, facts), request, { ...flow });
  const failure = outcomes.find((outcome) => outcome.failure)?.failure;
  if (failure && outcomes.every((outcome) => outcome.failure)) throw failure;
  const version = versionOf(outcomes);
  const { files, objects } = await apply({ name, version, outcomes, complete: failure === undefined }, request, flow);
  const components = outcomes.map(componentOf);
  return { name, version, folder: request.folder, components, files, objects, skipped: tree.skipped, failure };
}

function partsOf(
  { root, entries }: ComponentTree,
  name: string,
  { variables }: LoadRequest,
  cluster: ClusterFacts | undefined,
): Part[] {
  return entries.map((entry) => ({
    entry,
    component: {
      name: entry.name,
      // Kustomizations may build on each other, but on nothing outside of the tree.
      folder: root,
      entry: entry.folder,
      values: [],
      namespace: undefined,
      // The version is known only once plugins have printed what it is made from.
      solution: { name, version: '0.0.0' },
      cluster,
      variables,
    },
  }));
}

/** A tree has no version of its own, so its objects make one: lower than any release, and fit for a label. */
function versionOf(outcomes: readonly Outcome[]): string {
  const content = JSON.stringify(outcomes.map(({ entry, objects }) => [entry.name, objects]));
  return `0.0.0-sha256-${sha256(utf8(content)).slice('sha256:'.length, 'sha256:'.length + 12)}`;
}

async function apply(
  solution: {
    readonly name: string;
    readonly version: string;
    readonly outcomes: readonly Outcome[];
    readonly complete: boolean;
  },
  { cluster, timeout }: LoadRequest,
  flow: Flow,
): Promise<Pick<AppliedSolution, 'files' | 'objects'>> {
  const { name, version, outcomes, complete } = solution;
  const components = outcomes
    .filter(({ failure }) => failure === undefined)
    .map(({ entry, objects }) => ({ name: entry.name, objects, after: [], timeout }));
  const { solutions } = await cluster.apply(
    {
      configuration: `load/${name}`,
      solutions: [{ name, version, root: undefined, components }],
      // What a failed component brought before is still wanted.
      prune: complete,
    },
    flow,
  );
  return solutions[0] ?? { files: [], objects: [] };
}

function componentOf({ entry, objects, failure }: Outcome): LoadedComponent {
  const { name, folder, kind } = entry;
  const state = failure ? 'failed' : objects.length > 0 ? 'loaded' : 'empty';
  return { name, folder, kind, state, objects: objects.length, ...(failure ? { reason: failure.message } : {}) };
}
