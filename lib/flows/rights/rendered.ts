import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { RenderedComponent } from '../../parts/clusters/index.ts';
import { type Renderable, renderedVersion, type UsedImage } from '../../shared/rendering/index.ts';
import { renderAlone } from '../render/index.ts';
import type { UnknownComponent } from './solution-rights.ts';

/** What is known of a Solution's components without a cluster, and of which of them nothing is. */
export interface KnownComponents {
  /** In the order of application. */
  readonly components: readonly RenderedComponent[];
  readonly used: readonly UsedImage[];
  readonly unknown: readonly UnknownComponent[];
}

/**
 * Renders all components with the values of the archive, without a cluster: together, or each by itself where one
 * cannot be. Then it is known which. Plugins are not run.
 */
export async function renderKnown(solution: Renderable, flow: Flow): Promise<KnownComponents> {
  const left = solution.metadata.components
    .filter(({ kind, render }) => kind === 'plugin' || render === 'install')
    .map(({ name, kind }) => {
      const reason = kind === 'plugin' ? 'plugins are not run' : 'it is rendered on the node alone';
      return { component: name, reason };
    });
  const kubernetes = renderedVersion([solution], undefined);
  const render = async (one: Renderable): Promise<Omit<KnownComponents, 'unknown'>> => {
    const { rendered, used } = await renderAlone(one, { kubernetes }, flow);
    return { components: rendered.components, used };
  };
  try {
    return { ...(await render(solution)), unknown: left };
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
  }
  return renderEach(solution, left, render);
}

async function renderEach(
  solution: Renderable,
  left: readonly UnknownComponent[],
  render: (one: Renderable) => Promise<Omit<KnownComponents, 'unknown'>>,
): Promise<KnownComponents> {
  const [components, used, unknown]: [RenderedComponent[], UsedImage[], UnknownComponent[]] = [[], [], [...left]];
  for (const component of solution.metadata.components) {
    if (unknown.some((one) => one.component === component.name)) continue;
    const metadata = { ...solution.metadata, components: [{ ...component, after: [] }] };
    try {
      const known = await render({ ...solution, metadata });
      components.push(...known.components);
      used.push(...known.used);
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      unknown.push({ component: component.name, reason: error.summary });
    }
  }
  return { components, used, unknown };
}
