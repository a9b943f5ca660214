import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import { type Flow, lend, redactor } from '../../kernel/events/index.ts';
import { foreseeSteps, type Given, planSteps, runSteps } from '../../kernel/plan/index.ts';
import { reportImages } from '../../shared/rendering/index.ts';
import { applied } from '../../shared/solutions/clusters/index.ts';
import { delivered, installPlanOf, verifiedArchive } from '../install/index.ts';
import { pinnedTree } from './images/index.ts';
import { readLoad } from './read.ts';
import type { Outcome } from './render.ts';
import { renderedTree } from './render-step.ts';
import type { LoadedComponent, LoadRequest, LoadResult } from './request.ts';
import { type LoadPlanRead, loadSteps } from './steps.ts';

export type {
  /** An archive whose images were available. */
  LoadedArchive,
  /** The archives that hold the images of trees, and how these get from there to nodes. */
  LoadImages,
} from './image-request.ts';
export type {
  /** The result for one component. */
  LoadedComponent,
  LoadRequest,
  LoadResult,
} from './request.ts';

/**
 * Brings up `components.d` trees as one Solution: reads them, probes all plugins, renders all components in byte order
 * of their folders, tree after tree, and then applies everything at once. It removes what an earlier load brought and
 * this one no longer has, unless a component failed. With archives, every image that the trees use has to be in one of
 * them, and is pinned by its digest. Throws `usage-invalid`, `file-missing`, `file-unreadable`, `path-escapes`,
 * `component-invalid`, and what the component kinds and the target throw.
 */
export async function load(request: LoadRequest, flow: Flow): Promise<LoadResult> {
  return lend(await readLoad(request, flow), ({ read, means }) => {
    const kinds = loadSteps(request.images && means.delivery, request.images?.hostsDir);
    return runSteps(planSteps(kinds, read), { kinds, means }, flow, async (given) => resultOf(given, request, read));
  });
}

/**
 * Finds out what `load` would do, and does nothing: plugins are asked, but no registry, no cluster and no file is
 * changed. The result is that of `foreseeInstall`, without choices. Throws what would refuse the load.
 */
export async function foreseeLoad(request: LoadRequest, flow: Flow): Promise<InstallPlan> {
  return lend(await readLoad(request, flow), async ({ read, means }) => {
    const kinds = loadSteps(request.images && means.delivery, request.images?.hostsDir);
    const steps = planSteps(kinds, read);
    const { configuration, nodeVariables } = read;
    const foreseen = await foreseeSteps(steps, { kinds, means }, flow);
    const names = new Map(steps.map(({ name }) => [name, name]));
    const parts = {
      configuration,
      choices: [],
      nodeVariables,
      steps: foreseen,
      names,
      secrets: [],
      redact: redactor([]),
    };
    return (await installPlanOf(parts)).plan;
  });
}

function resultOf(given: Given, { folders, images }: LoadRequest, read: LoadPlanRead): LoadResult {
  const { solution, outcomes } = given.one(renderedTree);
  const { files, objects } = given.one(applied).solutions[0] ?? { files: [], objects: [] };
  const failure = outcomes.find((outcome) => outcome.failure)?.failure;
  const { name, version } = solution;
  const [folder = ''] = folders;
  const components = outcomes.map(componentOf);
  const skipped = read.trees.flatMap((tree) => tree.skipped);
  const result = {
    name,
    version,
    folder,
    folders,
    variables: read.nodeVariables,
    components,
    files,
    objects,
    skipped,
    failure,
  };
  return images === undefined ? result : { ...result, ...imagesOf(given, read) };
}

/** Returns which images the trees use, out of which archives. */
function imagesOf(
  { all, one }: Given,
  { archives }: LoadPlanRead,
): Pick<LoadResult, 'images' | 'archives' | 'registry'> {
  const verdicts = new Map(all(verifiedArchive).map(({ root, signers }) => [root, signers]));
  const [registry] = all(delivered);
  return {
    images: reportImages(one(pinnedTree).used),
    archives: archives.map(({ path, catalog: { metadata, root } }) => ({
      archive: path,
      name: metadata.name,
      version: metadata.version,
      root: root.digest,
      signers: verdicts.get(root.digest) ?? [],
    })),
    ...(registry === undefined ? {} : { registry: registry.registry }),
  };
}

function componentOf({ entry, objects, failure }: Outcome): LoadedComponent {
  const { name, folder, kind } = entry;
  const state = failure ? 'failed' : objects.length > 0 ? 'loaded' : 'empty';
  return { name, folder, kind, state, objects: objects.length, ...(failure ? { reason: failure.message } : {}) };
}
