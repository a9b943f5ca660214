import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import type { ReadyProbe } from '../../../formats/solution/ready-probe.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { Renderable } from './renderable.ts';

/** Returns what tells that a component is ready: objects of which it names no namespace are in its own. */
export function probesOf({ namespace, ready }: ComponentMetadata): readonly ReadyProbe[] | undefined {
  return ready?.map((probe) => ({ ...probe, namespace: probe.namespace ?? namespace ?? 'default' }));
}

/** Throws `component-invalid` where an archive, which anybody may have made, has an expression that is none. */
export async function requireProbes(renderables: readonly Renderable[]): Promise<void> {
  const asking = renderables.filter(({ metadata }) => metadata.components.some(({ ready }) => ready !== undefined));
  if (asking.length === 0) return;
  const { probeProblems } = await import('../../../formats/solution/check-probes.ts');
  for (const { path, metadata } of asking) {
    const [problem] = probeProblems(metadata.components);
    if (problem === undefined) continue;
    throw new SolpackError(
      'component-invalid',
      path,
      `component ${problem.component}, ready ${problem.at + 1}: ${problem.message}`,
      {
        hint: 'pack it again with this version of solpack',
      },
    );
  }
}
