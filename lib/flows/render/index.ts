import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { directoryTarget, type RenderedSolution } from '../../parts/clusters/index.ts';
import {
  checkSites,
  distinctObjects,
  type Renderable,
  type ReportedImage,
  renderedVersion,
  reportImages,
  requireLikely,
} from '../../shared/rendering/index.ts';
import { machineOrigin } from '../../shared/solutions/origin/index.ts';
import { type HandedValues, readSites } from '../../shared/solutions/sites/index.ts';
import { openInput, type SolutionInput } from './open.ts';
import { renderAlone } from './render-alone.ts';

export type { SolutionInput } from './open.ts';
export {
  /** Opens a Solution. */
  openInput,
} from './open.ts';
export {
  /** Renders a Solution for a cluster that nobody can ask. */
  renderAlone,
} from './render-alone.ts';
export {
  /** Writes rendered objects as YAML documents, in the order of application. */
  renderedText,
} from './text.ts';

/** What to render, and for which cluster. */
export interface RenderRequest {
  readonly input: SolutionInput;
  /**
   * The Kubernetes version; undefined is the newest for which the Solution is proved to be closed, otherwise Helm's
   * own.
   */
  readonly kubernetes?: string | undefined;
  /** What the cluster serves besides, as `group/version` and `group/version/Kind`. */
  readonly apiVersions: readonly string[];
  /** Values of the site, each above those before it; left out: none. */
  readonly values?: readonly HandedValues[];
  /** Ends with an error where objects name images that nobody brings. Left out: false. */
  readonly strict?: boolean;
  /** The folder that the objects are written to, as an absolute path; undefined writes none. */
  readonly output?: string | undefined;
}

/** What a cluster would get. */
export interface RenderResult {
  /** Path of the definition or the archive. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Left out where it is Helm's own. */
  readonly kubernetes?: string;
  /** In the order of application. */
  readonly components: readonly { readonly name: string; readonly objects: readonly KubernetesObject[] }[];
  /** Components that only the node can render. */
  readonly unproved: readonly string[];
  /** Images that objects use and that the Solution does not hold. */
  readonly missing: readonly { readonly image: string; readonly component: string }[];
  /** Every image that objects name, and where. */
  readonly images: readonly ReportedImage[];
  /** Files that were written, in order. */
  readonly files: readonly string[];
}

/**
 * Renders a Solution as a cluster of that kind would get it, without asking one. Image names do not change and have
 * digests, as if nodes had mirrors. Throws what opening and rendering throw, `site-invalid`, `image-missing` and
 * `object-conflict`.
 */
export async function renderSolution(request: RenderRequest, flow: Flow): Promise<RenderResult> {
  const { input, kubernetes: asked, apiVersions, values: handed = [], strict = false, output } = request;
  return lend(await openInput(input, flow), async ({ solution }) => {
    const kubernetes = renderedVersion([solution], asked);
    const settable = { active: [solution.metadata], known: [solution.metadata.name] };
    const sites = await readSites(
      { configuration: solution.path, sites: [], handed, origin: machineOrigin() },
      settable,
    );
    await checkSites([solution], sites, flow);
    const alone = await renderAlone(solution, { kubernetes, apiVersions, sites }, flow);
    const { rendered, unproved, missing, used } = alone;
    if (strict && missing.length > 0) throw unheld(solution.path, missing);
    requireLikely(used, strict, flow);
    const [distinct] = distinctObjects([rendered]) as [RenderedSolution];
    const files = output === undefined ? [] : await written(output, distinct, solution, flow);
    const { name, version } = solution.metadata;
    return {
      path: solution.path,
      name,
      version,
      ...(kubernetes === undefined ? {} : { kubernetes }),
      components: distinct.components.map(({ name, objects }) => ({ name, objects })),
      unproved,
      missing,
      images: reportImages(used),
      files,
    };
  });
}

function unheld(path: string, missing: RenderResult['missing']): SolpackError {
  const named = missing.map(({ image, component }) => `${image} (component ${component})`).join(', ');
  return new SolpackError(
    'image-missing',
    path,
    `images are used but not in the Solution, which --strict refuses: ${named}`,
    {
      hint: 'name them in the definition, as images or as external-images; or leave out --strict',
    },
  );
}

async function written(
  folder: string,
  solution: RenderedSolution,
  { metadata }: Renderable,
  flow: Flow,
): Promise<readonly string[]> {
  const target = directoryTarget(folder);
  const { solutions } = await target.apply({ configuration: metadata.name, solutions: [solution] }, flow);
  return solutions.flatMap(({ files }) => files);
}
