import type { CelBudget } from './budget.ts';
import { equals } from './compare.ts';
import type { CelFunction, CelFunctions } from './function.ts';
import { CelType, type CelValue } from './values.ts';

function about(
  decide: (one: readonly CelValue[], other: readonly CelValue[], budget: CelBudget) => boolean,
): CelFunction {
  return {
    apply: ([receiver, one, other], budget) =>
      receiver instanceof CelType && receiver.name === 'sets' && Array.isArray(one) && Array.isArray(other)
        ? decide(one, other, budget)
        : undefined,
  };
}

function isIn(list: readonly CelValue[], value: CelValue, budget: CelBudget): boolean {
  return list.some((entry) => equals(entry, value, budget));
}

function holdsAll(list: readonly CelValue[], sought: readonly CelValue[], budget: CelBudget): boolean {
  return sought.every((entry) => isIn(list, entry, budget));
}

const contains = about(holdsAll);

/** Functions of lists as sets (cel-go, "Sets"). */
export const sets: CelFunctions = {
  '.contains': { ...contains, signatures: ['solpack.sets.contains(list, list): bool'] },
  '.equivalent': {
    ...about((one, other, budget) => holdsAll(one, other, budget) && holdsAll(other, one, budget)),
    signatures: ['solpack.sets.equivalent(list, list): bool'],
  },
  '.intersects': {
    ...about((one, other, budget) => one.some((entry) => isIn(other, entry, budget))),
    signatures: ['solpack.sets.intersects(list, list): bool'],
  },
};
