/** The end of a budget: it ends an evaluation wherever it is, so that no operator of CEL may swallow it. */
export class CelBudgetError extends Error {}

/**
 * What an evaluation fails by, as CEL defines it: `&&`, `||`, `all` and `exists` may do without the part that fails.
 */
export class CelError extends Error {}

/** How much work an evaluation may do: one for each part of the expression, each element and each ten characters. */
export class CelBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Takes steps. Throws `CelBudgetError` where there are none left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CelBudgetError('takes more work than the limit of one evaluation');
  }

  /** Takes what reading or making a text of so many characters costs. */
  spendText(length: number): void {
    this.spend(1 + Math.ceil(length / 10));
  }
}
