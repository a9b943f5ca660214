import { type CelBudget, CelError } from './budget.ts';
import { conversions } from './conversions.ts';
import type { CelFunction, CelFunctions } from './function.ts';
import { addresses } from './ip.ts';
import { lists } from './lists.ts';
import { quantities } from './quantity.ts';
import { sets } from './sets.ts';
import { texts } from './texts.ts';
import { times } from './times.ts';
import { CelOptional, CelType, type CelValue, typeOf } from './values.ts';

/** What functions of `optional` have as their receiver. */
const namespace = (value: CelValue | undefined): boolean => value instanceof CelType && value.name === 'optional';

const optionals: CelFunctions = {
  '.of': { apply: ([one, other]) => (namespace(one) && other !== undefined ? new CelOptional(other) : undefined) },
  '.none': { apply: ([one]) => (namespace(one) ? new CelOptional(undefined) : undefined) },
  '.hasValue': { apply: ([one]) => (one instanceof CelOptional ? one.value !== undefined : undefined) },
  '.value': {
    apply: ([one]) => {
      if (!(one instanceof CelOptional)) return undefined;
      if (one.value === undefined) throw new CelError('optional.none() has no value');
      return one.value;
    },
  },
  '.orValue': {
    apply: ([one, other]) => (one instanceof CelOptional && other !== undefined ? (one.value ?? other) : undefined),
  },
  '.or': {
    apply: ([one, other]) =>
      one instanceof CelOptional && other instanceof CelOptional ? (one.value === undefined ? other : one) : undefined,
  },
};

/** All functions, except those that decide what of their arguments is evaluated. */
export const celFunctions: CelFunctions = {
  ...addresses,
  ...conversions,
  ...lists,
  ...optionals,
  ...quantities,
  ...texts,
  ...times,
  '.contains': either(sets['.contains']!, texts['.contains']!),
  '.equivalent': sets['.equivalent']!,
  '.intersects': sets['.intersects']!,
};

/** Two functions of one name, for values of other types. */
function either(one: CelFunction, other: CelFunction): CelFunction {
  return {
    signatures: [...(one.signatures ?? []), ...(other.signatures ?? [])],
    apply: (given, budget) => one.apply(given, budget) ?? other.apply(given, budget),
  };
}

/** Calls a function. Throws `CelError` where it is not for values of these types. */
export function call(name: string, given: readonly CelValue[], budget: CelBudget): CelValue {
  const result = celFunctions[name]?.apply(given, budget);
  if (result !== undefined) return result;
  throw new CelError(`no such overload: ${name}(${given.map(typeOf).join(', ')})`);
}
