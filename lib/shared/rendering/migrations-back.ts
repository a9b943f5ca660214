import { join } from 'node:path';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { temporaryFolder } from '../../kernel/files/index.ts';
import type { ClusterTarget, RenderedSolution } from '../../parts/clusters/index.ts';
import { migrations } from '../../parts/components/index.ts';
import { asksPlugins } from './provable.ts';
import type { Renderable } from './renderable.ts';
import { asComponent, type Surroundings } from './together.ts';
import { unpackComponents } from './unpack-components.ts';

/**
 * Asks the plugins of Solutions that are left how custom resources have to change for the versions that come back: who
 * knows the newer form knows the older one, and not the other way round. Throws what unpacking and plugins throw.
 */
export async function withMigrationsBack(
  solutions: readonly RenderedSolution[],
  left: readonly Renderable[],
  { target, ...surroundings }: Surroundings & { readonly target: ClusterTarget },
  flow: Flow,
): Promise<readonly RenderedSolution[]> {
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const back: RenderedSolution[] = [];
    for (const [index, solution] of solutions.entries()) {
      const { name, version } = solution;
      const newer = left.find(({ metadata }) => metadata.name === name && metadata.version !== version);
      back.push(newer === undefined ? solution : await migrated(solution, newer, join(path, String(index))));
    }
    return back;
  });

  async function migrated(solution: RenderedSolution, newer: Renderable, folder: string): Promise<RenderedSolution> {
    const { name, version } = solution;
    const unpacked = await unpackComponents(newer, folder, flow, asksPlugins);
    const components = [...solution.components];
    for (const one of unpacked) {
      const component = { ...asComponent(one, surroundings), solution: { name, version } };
      const readPreviousVersion = () => target.previousVersion(name, version, flow);
      const changes = await migrations(one.component.kind, component, readPreviousVersion, flow);
      const same = components.findIndex((candidate) => candidate.name === one.component.name);
      const at = same < 0 ? components.length - 1 : same;
      const own = components[at];
      if (own === undefined || changes.length === 0) continue;
      components[at] = { ...own, migrations: [...(own.migrations ?? []), ...changes] };
    }
    return { ...solution, components };
  }
}
