import type { ASTNode } from '@marcbachmann/cel-js';
import { CelBudget, CelBudgetError, CelError } from './budget.ts';
import { type CelProgram, operandsOf } from './compile.ts';
import { evaluateNode } from './evaluate.ts';
import { CelOptional, type CelValue, fromJson, toJson, typeOf } from './values.ts';

/** How an object is by an expression. */
export interface CelVerdict {
  readonly holds: boolean;
  /** Why the expression has no value, such as `no such key: status`; undefined where it has one. */
  readonly failure: string | undefined;
  /**
   * What the expression looks at in the object and what is there, such as `self.status.phase is "Pending"`; the first
   * few.
   */
  readonly found: readonly string[];
}

/** The work that one evaluation may do, as an API server limits it for one expression. */
const STEPS = 1_000_000;
/** How many selections are reported, and how long each may be. */
const shown = { selections: 3, length: 80 } as const;

/** Evaluates an expression over an object, as `self`. Never throws, however large or wild the object is. */
export function judgeCel({ root }: CelProgram, self: unknown): CelVerdict {
  const budget = new CelBudget(STEPS);
  try {
    const scope = new Map([['self', fromJson(self)]]);
    const outcome = outcomeOf(() => evaluateNode(root, scope, budget));
    if (outcome === true) return { holds: true, failure: undefined, found: [] };
    const found = selectionsOf(root)
      .slice(0, shown.selections)
      .map((node) => {
        const value = outcomeOf(() => evaluateNode(node, scope, new CelBudget(STEPS / 10)));
        return `${node.input.slice(node.start, node.end)} ${wordsOf(value)}`;
      });
    if (outcome instanceof Error) return { holds: false, failure: outcome.message, found };
    const failure = outcome === false ? undefined : `it gives ${typeOf(outcome)}, not a bool`;
    return { holds: false, failure, found };
  } catch (error) {
    if (error instanceof CelError) return { holds: false, failure: error.message, found: [] };
    throw error;
  }
}

function outcomeOf(evaluate: () => CelValue): CelValue | Error {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof CelError || error instanceof CelBudgetError) return error;
    throw error;
  }
}

function wordsOf(value: CelValue | Error): string {
  if (value instanceof Error) return value instanceof CelError ? 'is not there' : 'is too large to check';
  if (value instanceof CelOptional && value.value === undefined) return 'is not there';
  const text = JSON.stringify(toJson(value)) ?? 'null';
  return `is ${text.length > shown.length ? `${text.slice(0, shown.length - 1)}…` : text}`;
}

/** Lists what an expression selects of `self`, each as far as it goes, and once. */
function selectionsOf(root: ASTNode): ASTNode[] {
  const found = new Map<string, ASTNode>();
  const visit = (node: ASTNode): void => {
    if (isSelection(node)) found.set(node.input.slice(node.start, node.end), node);
    else for (const part of operandsOf(node)) visit(part);
  };
  visit(root);
  return [...found.values()].filter(({ op }) => op !== 'id');
}

function isSelection(node: ASTNode): boolean {
  if (node.op === 'id') return node.args === 'self';
  if (node.op === '.' || node.op === '.?') return isSelection(node.args[0]);
  return (node.op === '[]' || node.op === '[?]') && node.args[1].op === 'value' && isSelection(node.args[0]);
}
