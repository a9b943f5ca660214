import { installRights } from '../../../formats/manifest/install-rights.ts';
import { grantedRights } from '../../../formats/manifest/powers.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import type { Renderable } from '../../shared/rendering/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';
import { openInput } from '../render/index.ts';
import { type KnownComponents, renderKnown } from './rendered.ts';
import type { SolutionRights } from './solution-rights.ts';

export {
  /** What is known of a Solution's components without a cluster, and of which of them nothing is. */
  type KnownComponents,
  /** Renders all components with the values of the archive, without a cluster. */
  renderKnown,
} from './rendered.ts';
export type {
  /** What a Solution's accounts may do once it is installed, and the rights that solpack needs to install it. */
  SolutionRights,
  /** A component whose objects are unknown, because it was not rendered. */
  UnknownComponent,
} from './solution-rights.ts';

/**
 * Returns the rights that a Solution gives and needs, from its components as they are rendered with the values of the
 * archive, without a cluster. Plugins are not run. Throws what opening an archive throws.
 */
export async function inspectRights(archive: ArchivePlace, flow: Flow): Promise<SolutionRights> {
  return lend(await openInput({ archive }, flow), async ({ solution }) =>
    rightsOfKnown(solution, await renderKnown(solution, flow)),
  );
}

/** Tells the rights of a Solution by what is known of its components. */
export function rightsOfKnown(
  { path, metadata: { name, version } }: Renderable,
  { components, unknown }: KnownComponents,
): SolutionRights {
  const objects = components.flatMap((component) => component.objects);
  return {
    ...{ path, name, version },
    subjects: grantedRights(objects),
    needed: installRights(components),
    unknown,
  };
}
