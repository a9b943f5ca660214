import { type InstallRight, installRights } from '../../../formats/manifest/install-rights.ts';
import { grantedRights, type SubjectRights } from '../../../formats/manifest/powers.ts';
import { SolpackError } from '../../kernel/events/errors.ts';
import { type Flow, lend } from '../../kernel/events/flow.ts';
import type { RenderedComponent } from '../../parts/clusters/kind.ts';
import { renderedVersion } from '../../shared/rendering/kubernetes-version.ts';
import type { Renderable } from '../../shared/rendering/renderable.ts';
import type { ArchivePlace } from '../../shared/solutions/media/kind.ts';
import { openInput } from '../render/open.ts';
import { renderAlone } from '../render/render-alone.ts';

/** What a Solution's accounts may do once it is installed, and what solpack has to be allowed to install it. */
export interface SolutionRights {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Who may do what, by the Solution's roles and bindings; what reaches furthest comes first. */
  readonly subjects: readonly SubjectRights[];
  /** What solpack has to be allowed. */
  readonly needed: readonly InstallRight[];
  /** Components whose rights nobody knows, since they were not rendered. */
  readonly unknown: readonly { readonly component: string; readonly reason: string }[];
}

/**
 * Tells the rights that a Solution gives and needs, by its components as they are rendered with the values of the archive, without a
 * cluster. Plugins are not run. Throws what opening an archive throws.
 */
export async function inspectRights(archive: ArchivePlace, flow: Flow): Promise<SolutionRights> {
  return lend(await openInput({ archive }, flow), async ({ solution }) => {
    const { name, version, components } = solution.metadata;
    const unknown: { component: string; reason: string }[] = components
      .filter(({ kind, render }) => kind === 'plugin' || render === 'install')
      .map(({ name: component, kind }) => {
        const reason = kind === 'plugin' ? 'plugins are not run' : 'it is rendered on the node alone';
        return { component, reason };
      });
    const installed = await rendered(solution, unknown, flow);
    return {
      ...{ path: solution.path, name, version },
      subjects: grantedRights(installed.flatMap(({ objects }) => objects)),
      needed: installRights(installed),
      unknown,
    };
  });
}

/** Renders all components together, or each by itself where one cannot be: then it is known which. */
async function rendered(
  solution: Renderable,
  unknown: { component: string; reason: string }[],
  flow: Flow,
): Promise<RenderedComponent[]> {
  const kubernetes = renderedVersion([solution], undefined);
  const render = async (one: Renderable): Promise<RenderedComponent[]> => {
    const alone = await renderAlone(one, { kubernetes }, flow);
    return [...alone.rendered.components];
  };
  try {
    return await render(solution);
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
  }
  const known: RenderedComponent[] = [];
  for (const component of solution.metadata.components) {
    if (unknown.some((one) => one.component === component.name)) continue;
    const metadata = { ...solution.metadata, components: [{ ...component, after: [] }] };
    try {
      known.push(...(await render({ ...solution, metadata })));
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      unknown.push({ component: component.name, reason: error.summary });
    }
  }
  return known;
}
