import type { ArrowFunctionExpression, Function as FunctionNode } from 'oxc-parser';
import { lineOf, type Sources, visit } from './code.ts';

/** Where a function begins, and how many lines it has, from its head to its closing brace. */
export interface FunctionSize {
  readonly line: number;
  readonly lines: number;
}

/** Counts the lines of a file. */
export function linesOf(source: string): number {
  return source.replace(/\n$/, '').split('\n').length;
}

/** Finds the smallest of `values` that a `share` of them (0 to 1) does not exceed: of a half, the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Measures every function, method and arrow that has a body. */
export function functionsOf(source: string): FunctionSize[] {
  const sizes: FunctionSize[] = [];
  const measure = ({ start, end }: FunctionNode | ArrowFunctionExpression): void => {
    sizes.push({ line: lineOf(source, start), lines: linesOf(source.slice(start, end)) });
  };
  visit(source, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return sizes;
}

/** Finds every function of more than `limit` lines, as `path:line: N lines`. */
export function longFunctions(sources: Sources, limit: number): string[] {
  return [...sources].flatMap(([path, source]) =>
    functionsOf(source)
      .filter(({ lines }) => lines > limit)
      .map(({ line, lines }) => `${path}:${line}: a function of ${lines} lines`),
  );
}
