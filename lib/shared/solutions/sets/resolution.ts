import type { ResolvedSet } from '../../../../formats/resolve/world.ts';
import type { GenerationResolution } from '../../../parts/clusters/index.ts';
import type { Choice } from './choices.ts';

/**
 * Puts together what the resolver decided and why, as a generation has it. `choices` are those of the members of the
 * set.
 */
export function resolutionOf(set: ResolvedSet, choices: readonly Choice[]): GenerationResolution {
  return {
    solutions: set.members.map(({ release: { name, version }, why, needs }) => {
      const { reason = '', passedOver = [], outside } = choices.find((choice) => choice.name === name) ?? {};
      return { name, version, why, reason, passedOver, needs, ...(outside && { outside }) };
    }),
    installed: set.installed.map(({ release: { name, version }, configuration }) => ({ name, version, configuration })),
    unmet: set.unmet,
    replaced: set.replaced,
    heldBack: set.heldBack.map(({ name, version, reason }) => ({ name, version, reason })),
  };
}
