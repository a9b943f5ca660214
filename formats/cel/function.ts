import type { CelBudget } from './budget.ts';
import type { CelValue } from './values.ts';

/**
 * A function of CEL for values of certain types: `apply` returns undefined where it has none for these. The first
 * argument is the receiver, where there is one.
 */
export interface CelFunction {
  /**
   * As the checker of types knows it, such as `string.charAt(int): string`; none where it knows the function itself.
   */
  readonly signatures?: readonly string[];
  readonly apply: (given: readonly CelValue[], budget: CelBudget) => CelValue | undefined;
}

/** Functions by their names; those with a receiver have a dot before the name. */
export type CelFunctions = Readonly<Record<string, CelFunction>>;
