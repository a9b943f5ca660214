import type { Release } from '../solution/relations.ts';
import { adviseOn } from './advice.ts';
import { factsBehind } from './clause.ts';
import { shrink } from './core.ts';
import { Effort, TooEntangled } from './effort.ts';
import { explainConflict } from './explain.ts';
import { resolvedSetOf } from './members.ts';
import { withRecommended } from './recommend.ts';
import { searchableOf, searchOf } from './searchable.ts';
import type { Resolution, World } from './world.ts';

/**
 * Finds the best set of a world: of all in which every rule holds, the one that has what is wanted in the highest
 * versions, compared in order of names; then the fewest others; then these in the highest versions. What is recommended
 * is added to that where it changes nothing of it, one after the other in the order of the members. Where there is no
 * set, says why. All of it together is one effort.
 */
export function resolveWorld<One extends Release>(world: World<One>): Resolution<One> {
  try {
    return resolveWithin(world, new Effort());
  } catch (error) {
    if (error instanceof TooEntangled) return { none: tooEntangled, steps: 0 };
    throw error;
  }
}

function resolveWithin<One extends Release>(world: World<One>, effort: Effort): Resolution<One> {
  const searchable = searchableOf(world, effort);
  const found = searchOf(searchable, effort);
  if ('exhausted' in found) return { none: tooEntangled, steps: found.steps };
  if ('conflict' in found) {
    const conflict = shrink(found.conflict, searchable, effort);
    const { steps } = found;
    const isAboutOthers = factsBehind(conflict).some(({ kind }) => kind !== 'wanted' && kind !== 'kubernetes');
    const explanation = explainConflict(conflict, searchable);
    return { none: { explanation, help: adviseOn(world, conflict, effort), isAboutOthers }, steps };
  }
  const chosen = withRecommended(searchable, found, effort);
  effort.renew();
  return { set: resolvedSetOf(world, searchable, chosen), steps: chosen.steps };
}

const tooEntangled = {
  explanation: ['The requirements of the archives are too complex to resolve.'],
  help: ['name the versions to activate in full, by "solpack activate"'],
  isAboutOthers: true,
};
